import { type ReactNode, useState } from 'react'

type DisclosureProps = {
  title: string
  text: string
  icon: ReactNode
  /** Whether it is open from the start. */
  open?: boolean
  children: () => ReactNode
}

/** A card that expands in place. Its content is neither rendered nor fetched before. */
export function Disclosure({ title, text, icon, open = false, children }: DisclosureProps) {
  const [seen, setSeen] = useState(open)
  return (
    <details
      className="disclosure"
      open={open}
      onToggle={(event) => event.currentTarget.open && setSeen(true)}
    >
      <summary>
        {icon}
        <span className="disclosure-title">
          <h2>{title}</h2>
          <span className="muted">{text}</span>
        </span>
      </summary>
      <div className="disclosure-body">{seen ? children() : null}</div>
    </details>
  )
}
