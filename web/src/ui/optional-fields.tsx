import { type ReactNode, useEffect, useRef } from 'react'

type OptionalFieldsProps = {
  title: ReactNode
  problemInside?: boolean
  /** Whether it is open from the start. */
  open?: boolean
  children: ReactNode
}

/** What few need. A problem in it opens it; only the person closes it, and never a hand that is mending the problem. */
export function OptionalFields({
  title,
  problemInside = false,
  open = false,
  children,
}: OptionalFieldsProps) {
  const box = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (problemInside && box.current) box.current.open = true
  }, [problemInside])
  return (
    <details ref={box} className="optional-fields" open={open}>
      <summary>{title}</summary>
      <div className="form">{children}</div>
    </details>
  )
}
