// Pictures: how they are shown in the right size, their placeholders, and the fields that upload them after resizing.
import { useState } from 'react'
import type { Subject } from '@/features/media/drawing/model'
import { PicturePlaceholder, toneOf } from '@/features/media/picture-placeholder'
import { saveData } from '@/lib/save-data'

type PictureProps = {
  src: string | null | undefined
  srcSet?: string | null | undefined
  sizes: string
  alt: string
  seed: string
  /** What is drawn if there is no picture. */
  subject: Subject
  /** Pictures on the first screen load at once; all others load when they come near the viewport. */
  eager?: boolean
}

const SIDE = 256

export function Picture({ src, srcSet, sizes, alt, seed, subject, eager = false }: PictureProps) {
  const [broken, setBroken] = useState(false)
  if (!src || broken) return <PicturePlaceholder seed={seed} subject={subject} />
  return (
    <span className={`picture tone-${toneOf(seed)}`}>
      <img
        src={src}
        srcSet={srcSet ?? undefined}
        // To save data, '1px' makes the browser take the smallest picture of the set; the server does the same.
        sizes={saveData() ? '1px' : sizes}
        alt={alt}
        width={SIDE}
        height={SIDE}
        loading={eager ? 'eager' : 'lazy'}
        // The first view already shows these pictures; synchronous decoding prevents a flicker when React replaces it.
        decoding={eager ? 'sync' : 'async'}
        onError={() => setBroken(true)}
      />
    </span>
  )
}
