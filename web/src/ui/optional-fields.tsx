import { type ReactNode, useEffect, useRef } from 'react'

type OptionalFieldsProps = {
  title: ReactNode
  problemInside?: boolean
  /** Whether it is open from the start. */
  open?: boolean
  children: ReactNode
}

/**
 * Rarely needed fields. An error inside opens the section; only the user closes it, never a correction of the error.
 */
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
