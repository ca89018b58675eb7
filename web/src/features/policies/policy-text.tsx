/** A text that the server has rendered from Markdown and sanitised (`platform/markdown.rs`). */
export function PolicyText({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server allows nothing but text, lists, headings and links
  return <div className="policy-text" dangerouslySetInnerHTML={{ __html: html }} />
}
