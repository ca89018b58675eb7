// Everything beyond a product's first picture; it loads after the page.
import '@/styles/gallery.css'
import { useRouter } from '@tanstack/react-router'
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import type { Product } from '@/features/catalogue/api'
import { GalleryArrow } from '@/features/catalogue/gallery-arrow'
import { PictureZoom } from '@/features/catalogue/picture-zoom'
import { subjectOf } from '@/features/catalogue/product-picture'
import { useSlideScroll } from '@/features/catalogue/use-slide-scroll'
import { Picture } from '@/features/media/picture'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'

type MoreSlidesProps = {
  product: Product
  /** The properties of the button around a picture. */
  slide: (index: number) => ComponentProps<'button'>
}

export function MoreSlides({ product, slide }: MoreSlidesProps) {
  return product.moreImages?.map(({ key, image, imageSet }, index) => (
    <button key={key} {...slide(index + 1)}>
      <Picture
        src={image}
        srcSet={imageSet}
        sizes="256px"
        alt=""
        seed={product.categorySlug}
        subject={subjectOf(product)}
      />
    </button>
  ))
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
const buttonsOf = (box: HTMLElement | null) => [...(box?.querySelectorAll('button') ?? [])]

type GalleryProps = {
  product: Product
  /** The pictures side by side; its children are the buttons of `MoreSlides` and of the first picture. */
  track: RefObject<HTMLDivElement | null>
  /** The picture that fills the screen. */
  opened: number | undefined
}

/** What moves between the pictures, and the enlarged picture. */
export function Gallery({ product, track, opened }: GalleryProps) {
  const router = useRouter()
  const { image, imageSet, moreImages = [] } = product
  const count = moreImages.length + 1
  const thumbs = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(opened ?? 0)

  const scrollTo = useSlideScroll(track, count, setCurrent)
  const show = (index: number, behavior?: ScrollBehavior) => {
    scrollTo(index, behavior)
    setCurrent(index)
  }
  const step = useRef<(event: KeyboardEvent) => void>(() => {})
  step.current = (event) => {
    const by = STEPS[event.key]
    const next = current + (by ?? 0)
    if (!by || next < 0 || next >= count) return
    event.preventDefault()
    show(next)
    buttonsOf(event.currentTarget as HTMLElement)[next]?.focus({ preventScroll: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the thumbnails come with the second picture
  useEffect(() => {
    const boxes = [track.current, thumbs.current]
    const onKey = (event: KeyboardEvent) => step.current(event)
    for (const each of boxes) each?.addEventListener('keydown', onKey)
    return () => {
      for (const each of boxes) each?.removeEventListener('keydown', onKey)
    }
  }, [track, count])

  // Tab stops once at the pictures and once at the thumbnails, and the arrow keys go on from there.
  useEffect(() => {
    for (const box of [track.current, thumbs.current])
      for (const [index, button] of buttonsOf(box).entries()) button.tabIndex = index === current ? 0 : -1
    // With many pictures the thumbnails scroll.
    const thumb = buttonsOf(thumbs.current)[current]
    thumbs.current?.scrollTo({ top: (thumb?.offsetTop ?? 0) - (thumb?.offsetHeight ?? 0) })
  })

  // The dialog gives the focus to the picture that opened it; the shopper may have gone on to another one.
  const wasOpened = useRef(opened)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening and closing the dialog moves the page
  useEffect(() => {
    if (opened !== undefined) show(Math.min(opened, count - 1), 'instant')
    else if (wasOpened.current !== undefined) {
      show(current, 'instant')
      buttonsOf(track.current)[current]?.focus({ preventScroll: true })
    }
    wasOpened.current = opened
  }, [opened])

  return (
    <>
      {count > 1 ? <Controls product={product} current={current} thumbs={thumbs} onShow={show} /> : null}
      {opened === undefined || !image ? null : (
        <PictureZoom
          pictures={[{ image, imageSet }, ...moreImages]}
          start={Math.min(opened, count - 1)}
          onShow={(index) => show(index, 'instant')}
          onClose={() => router.history.back()}
        />
      )}
    </>
  )
}

type ControlsProps = {
  product: Product
  current: number
  thumbs: RefObject<HTMLDivElement | null>
  onShow: (index: number) => void
}

/** Dots on a phone, arrows for a mouse, and thumbnails beside the picture on a wide screen. */
function Controls({ product, current, thumbs, onShow }: ControlsProps) {
  const t = useT()
  const lang = useLang()
  const { image, imageSet, moreImages = [] } = product
  const pictures = [{ key: 'main', image, imageSet }, ...moreImages]
  return (
    <>
      <p className="sr-only" role="status">
        {t('gallery.position', {
          n: formatNumber(current + 1, lang),
          all: formatNumber(pictures.length, lang),
        })}
      </p>
      <div className="gallery-dots" aria-hidden="true">
        {pictures.map(({ key }, index) => (
          <span key={key} data-current={index === current || undefined} />
        ))}
      </div>
      <GalleryArrow
        by={-1}
        label={t('gallery.previous')}
        at={current}
        count={pictures.length}
        onShow={onShow}
      />
      <GalleryArrow by={1} label={t('gallery.next')} at={current} count={pictures.length} onShow={onShow} />
      <div ref={thumbs} className="gallery-thumbs" role="group" aria-label={t('gallery.thumbs')}>
        {pictures.map((picture, index) => (
          <button
            key={picture.key}
            type="button"
            className="gallery-thumb"
            aria-current={index === current || undefined}
            aria-label={t('gallery.show', { n: formatNumber(index + 1, lang) })}
            onClick={() => onShow(index)}
          >
            <Picture
              src={picture.image}
              srcSet={picture.imageSet}
              sizes="48px"
              alt=""
              seed={product.categorySlug}
              subject={subjectOf(product)}
            />
          </button>
        ))}
      </div>
    </>
  )
}
