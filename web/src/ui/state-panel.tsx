import type { ReactNode } from 'react'

type StatePanelProps = {
  title: string
  /** What the panel is about; each has its own, so that one knows at a glance what is missing. */
  icon: ReactNode
  text?: string
  /** The page's own heading when the panel is the page, a section heading when it is part of one. */
  heading?: 'h1' | 'h2'
  action?: ReactNode
}

/** A picture, a short text and one action. */
export function StatePanel({ title, icon, text, heading: Heading = 'h2', action }: StatePanelProps) {
  return (
    <div className="state-panel">
      <span className="state-icon">{icon}</span>
      <Heading className="state-title">{title}</Heading>
      {text ? <p className="muted">{text}</p> : null}
      {action}
    </div>
  )
}
