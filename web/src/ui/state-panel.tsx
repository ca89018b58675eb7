import type { ReactNode } from 'react'
import { LogoMark } from '@/ui/logo'

type StatePanelProps = {
  title: string
  text?: string
  /** The page's own heading when the panel is the page, a section heading when it is part of one. */
  heading?: 'h1' | 'h2'
  action?: ReactNode
}

/** An empty basket, a short text and one action. */
export function StatePanel({ title, text, heading: Heading = 'h2', action }: StatePanelProps) {
  return (
    <div className="state-panel">
      <LogoMark className="state-art" />
      <Heading className="state-title">{title}</Heading>
      {text ? <p className="muted">{text}</p> : null}
      {action}
    </div>
  )
}
