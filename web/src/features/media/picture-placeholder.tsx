const TONES = 8

/** A stable hue per category: FNV-1a over the slug, as the server computes it for the first view. */
export function toneOf(slug: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(slug)) {
    hash ^= byte
    hash = Math.imul(hash, 0x01000193) >>> 0
  }
  return hash % TONES
}

/** The first letter as people write it: मा is one letter to a reader, though it is two code points. */
export function glyphOf(name: { name: string; nameNe?: string | null | undefined }): string {
  const [first] = new Intl.Segmenter('ne', { granularity: 'grapheme' }).segment(name.nameNe || name.name)
  return first?.segment ?? ''
}

/** The placeholder of a product without a photo: its category's colour, a bamboo weave and its first letter. */
export function PicturePlaceholder({ seed, glyph }: { seed: string; glyph: string }) {
  return (
    <span className={`picture tone-${toneOf(seed)}`} aria-hidden="true">
      <svg className="picture-placeholder" viewBox="0 0 200 160" aria-hidden="true">
        <circle cx="100" cy="80" r="46" />
        <text
          className={[...glyph].length > 2 ? 'picture-placeholder-wide' : undefined}
          x="100"
          y="97"
          textAnchor="middle"
          lang="ne"
        >
          {glyph}
        </text>
      </svg>
    </span>
  )
}
