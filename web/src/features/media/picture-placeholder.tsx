import { type ComponentType, useEffect, useState } from 'react'
import type { Subject } from '@/features/media/drawing/model'
import { retryLoad } from '@/lib/retry-load'

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

type DrawingProps = { subject: Subject }

/** The drawings load only where a picture is missing; a shop with photos never needs them. */
const loadDrawing = async () => (await import('@/features/media/drawing/subject-drawing')).SubjectDrawing
let Drawing: ComponentType<DrawingProps> | undefined

/**
 * The picture of something without a photo: drawn from its name, on its category's colour. The colour alone is shown
 * until the drawings are loaded, and if they cannot be.
 */
export function PicturePlaceholder({ seed, subject }: DrawingProps & { seed: string }) {
  const [, setLoaded] = useState(Drawing !== undefined)
  useEffect(() => {
    if (Drawing) return
    retryLoad(loadDrawing).then(
      (component) => {
        Drawing = component
        setLoaded(true)
      },
      () => {},
    )
  }, [])
  return (
    <span className={`picture tone-${toneOf(seed)}`} aria-hidden="true" translate="no">
      {Drawing ? <Drawing subject={subject} /> : null}
    </span>
  )
}
