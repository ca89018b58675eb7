/** Marks the part of a name that matches a search, by the server's rule: anywhere, in any case. */
export function Highlight({ text, match }: { text: string; match?: string | undefined }) {
  const at = match ? text.toLowerCase().indexOf(match.toLowerCase()) : -1
  if (!match || at < 0) return text
  const end = at + match.length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}
