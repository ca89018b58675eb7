import type { ReactNode } from 'react'
import { LogoMark } from '@/ui/logo'

type StatePanelProps = {
  title: string
  /** What the panel is about, instead of the basket. */
  icon?: ReactNode
  text?: string
  /** The page's own heading when the panel is the page, a section heading when it is part of one. */
  heading?: 'h1' | 'h2'
  action?: ReactNode
}

/** A picture, a short text and one action. */
export function StatePanel({ title, icon, text, heading: Heading = 'h2', action }: StatePanelProps) {
  return (
    <div className="state-panel">
      {icon ? <span className="state-icon">{icon}</span> : <LogoMark className="state-art" />}
      <Heading className="state-title">{title}</Heading>
      {text ? <p className="muted">{text}</p> : null}
      {action}
    </div>
  )
}
