import { useState } from 'react'
import { Plate, toneOf } from '@/features/media/plate'

type PictureProps = {
  src: string | null | undefined
  srcSet?: string | null | undefined
  sizes: string
  alt: string
  seed: string
  glyph: string
  /** Pictures of the first screen: asked for at once. All others wait until they come near. */
  eager?: boolean
}

const SIDE = 256

export function Picture({ src, srcSet, sizes, alt, seed, glyph, eager = false }: PictureProps) {
  const [broken, setBroken] = useState(false)
  if (!src || broken) return <Plate seed={seed} glyph={glyph} />
  return (
    <span className={`picture tone-${toneOf(seed)}`}>
      <img
        src={src}
        srcSet={srcSet ?? undefined}
        sizes={sizes}
        alt={alt}
        width={SIDE}
        height={SIDE}
        loading={eager ? 'eager' : 'lazy'}
        // The first view already shows these very pictures; decoding them at once keeps React's copy from blinking.
        decoding={eager ? 'sync' : 'async'}
        onError={() => setBroken(true)}
      />
    </span>
  )
}
