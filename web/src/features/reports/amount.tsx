/** The figure of a table's cell. Thirty zeros hide the figures between them, so a zero is a dash that is read as what it is. */
export function Amount({ value, text }: { value: number; text: string }) {
  if (value !== 0) return text
  return (
    <>
      <span className="muted" aria-hidden="true">
        –
      </span>
      <span className="sr-only">{text}</span>
    </>
  )
}
