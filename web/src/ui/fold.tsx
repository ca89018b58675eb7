import { type ReactNode, useState } from 'react'

type FoldProps = {
  title: string
  text: string
  icon: ReactNode
  /** Whether it is open from the start. */
  open?: boolean
  children: () => ReactNode
}

/** A quiet card that opens in place. What is in it is neither drawn nor fetched before. */
export function Fold({ title, text, icon, open = false, children }: FoldProps) {
  const [seen, setSeen] = useState(open)
  return (
    <details className="fold" open={open} onToggle={(event) => event.currentTarget.open && setSeen(true)}>
      <summary>
        {icon}
        <span className="fold-title">
          <h2>{title}</h2>
          <span className="muted">{text}</span>
        </span>
      </summary>
      <div className="fold-body">{seen ? children() : null}</div>
    </details>
  )
}
