// Pictures: how one is shown in the right size, what stands in its place, and the fields that take one in and make it smaller before it is sent.
import { useState } from 'react'
import { PicturePlaceholder, toneOf } from '@/features/media/picture-placeholder'
import { saveData } from '@/lib/save-data'

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
  if (!src || broken) return <PicturePlaceholder seed={seed} glyph={glyph} />
  return (
    <span className={`picture tone-${toneOf(seed)}`}>
      <img
        src={src}
        srcSet={srcSet ?? undefined}
        // Of a set the browser takes the smallest that is wide enough; the server asks for the same.
        sizes={saveData() ? '1px' : sizes}
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
