import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { GalleryArrow } from '@/features/catalogue/gallery-arrow'
import { useSlideScroll } from '@/features/catalogue/use-slide-scroll'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { saveData } from '@/lib/save-data'
import { Dialog } from '@/ui/dialog'
import { ZoomInIcon, ZoomOutIcon } from '@/ui/icons-gallery'

type ZoomPicture = { image: string; imageSet?: string | null | undefined }

type PictureZoomProps = {
  pictures: ZoomPicture[]
  start: number
  /** Called with every picture that is shown, so that the page behind shows it too. */
  onShow: (index: number) => void
  onClose: () => void
}

const MAX_ZOOM = 4
/** The zoom of a click, a double tap or the button. */
const STEP_ZOOM = 2.5
const DOUBLE_TAP_MS = 300
const DOUBLE_TAP_PX = 30

/** The pictures of a product on the whole screen. They can be swiped, pinched, double-tapped or clicked. */
export function PictureZoom({ pictures, start, onShow, onClose }: PictureZoomProps) {
  const t = useT()
  const lang = useLang()
  const track = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(start)
  const [zoomed, setZoomed] = useState(false)
  const count = pictures.length

  const slideAt = (index: number) => track.current?.children[index] as HTMLElement | undefined
  const scale = (zoom: number, at?: Point) => {
    const slide = slideAt(current)
    if (!slide) return
    scaleSlide(slide, zoom, at ?? { x: slide.clientWidth / 2, y: slide.clientHeight / 2 })
    setZoomed(zoom > 1)
  }
  const toggle = (at?: Point) => scale(zoomed ? 1 : STEP_ZOOM, at)
  const show = (index: number) => {
    if (index < 0 || index >= count) return
    scrollTo(index)
    settle(index)
  }
  const settle = (index: number) => {
    if (index === current) return
    const left = slideAt(current)
    if (left) scaleSlide(left, 1, { x: 0, y: 0 })
    setZoomed(false)
    setCurrent(index)
    onShow(index)
  }
  const scrollTo = useSlideScroll(track, count, settle)

  // The dialog opens at the picture that was tapped. Before its own effect has opened it, it has no width.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the picture it opens at moves it
  useEffect(() => scrollTo(start, 'instant'), [start])

  const keys = useRef<(key: string) => boolean>(() => false)
  keys.current = (key) => {
    if (key === 'ArrowRight' && !zoomed) show(current + 1)
    else if (key === 'ArrowLeft' && !zoomed) show(current - 1)
    else if (key === '+') scale(STEP_ZOOM)
    else if (key === '-') scale(1)
    else return false
    return true
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey
      if (!isShortcut && keys.current(event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  usePinch(track, setZoomed)
  const lastTap = useRef({ time: 0, x: 0, y: 0 })
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const at = pointIn(event.currentTarget, event)
    if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse') return toggle(at)
    const tap = { time: event.timeStamp, ...at }
    const { time, x, y } = lastTap.current
    const isDouble = tap.time - time < DOUBLE_TAP_MS && Math.hypot(tap.x - x, tap.y - y) < DOUBLE_TAP_PX
    lastTap.current = isDouble ? { ...tap, time: 0 } : tap
    return isDouble ? toggle(at) : undefined
  }

  const title =
    count > 1
      ? t('gallery.position', { n: formatNumber(current + 1, lang), all: formatNumber(count, lang) })
      : t('gallery.picture')
  return (
    <Dialog id="picture-zoom" variant="full" title={title} onClose={onClose}>
      <div ref={track} className="zoom-track">
        {pictures.map(({ image, imageSet }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the button below and the keys + and - do the same
          <div
            key={image}
            className="zoom-slide"
            // With the focus, the arrow keys scroll an enlarged picture.
            tabIndex={index === current ? 0 : -1}
            data-zoomed={(zoomed && index === current) || undefined}
            onClick={onClick}
            onPointerMove={followMouse}
          >
            {/* Only the neighbours are loaded too, because each picture costs data. */}
            {Math.abs(index - current) <= 1 ? (
              <img
                src={image}
                srcSet={imageSet ?? undefined}
                sizes={zoomed && index === current ? '1280px' : saveData() ? '1px' : '100vw'}
                alt={t('gallery.number', { n: formatNumber(index + 1, lang) })}
                draggable={false}
              />
            ) : null}
          </div>
        ))}
      </div>
      <div className="zoom-bar">
        {count > 1 ? (
          <GalleryArrow by={-1} label={t('gallery.previous')} at={current} count={count} onShow={show} />
        ) : null}
        <button
          type="button"
          className="button button-outline"
          aria-pressed={zoomed}
          onClick={() => toggle()}
        >
          {zoomed ? <ZoomOutIcon /> : <ZoomInIcon />}
          {t('gallery.zoom')}
        </button>
        {count > 1 ? (
          <GalleryArrow by={1} label={t('gallery.next')} at={current} count={count} onShow={show} />
        ) : null}
      </div>
    </Dialog>
  )
}

type Point = { x: number; y: number }

function pointIn(box: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top } = box.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

const zoomOf = (slide: HTMLElement) => Number(slide.dataset.zoom ?? 1)

/** Draws the picture larger, so that it can be scrolled; the point `at` stays where it is. */
function scaleSlide(slide: HTMLElement, zoom: number, at: Point) {
  const ratio = zoom / zoomOf(slide)
  const left = (slide.scrollLeft + at.x) * ratio - at.x
  const top = (slide.scrollTop + at.y) * ratio - at.y
  slide.dataset.zoom = String(zoom)
  slide.style.setProperty('--zoom', String(zoom))
  slide.scrollTo({ left, top, behavior: 'instant' })
}

/** A mouse cannot swipe: the enlarged picture follows it. */
function followMouse(event: PointerEvent<HTMLElement>) {
  const slide = event.currentTarget
  if (event.pointerType !== 'mouse' || zoomOf(slide) === 1) return
  const { x, y } = pointIn(slide, event)
  slide.scrollTo({
    left: (x / slide.clientWidth) * (slide.scrollWidth - slide.clientWidth),
    top: (y / slide.clientHeight) * (slide.scrollHeight - slide.clientHeight),
    behavior: 'instant',
  })
}

/** Two fingers zoom the picture under them; one finger scrolls, which the browser does. */
function usePinch(track: { current: HTMLElement | null }, onZoomed: (zoomed: boolean) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the listeners live as long as the dialog
  useEffect(() => {
    const box = track.current
    if (!box) return undefined
    let pinch: { slide: HTMLElement; distance: number; zoom: number } | null = null
    const onMove = (event: TouchEvent) => {
      const [first, second] = event.touches
      if (!first || !second) return
      // React's own listener is passive and could not stop the page from zooming.
      event.preventDefault()
      const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY)
      const slide = (first.target as Element).closest<HTMLElement>('.zoom-slide')
      if (!slide) return
      pinch ??= { slide, distance, zoom: zoomOf(slide) }
      const zoom = Math.min(MAX_ZOOM, Math.max(1, (pinch.zoom * distance) / pinch.distance))
      const middle = {
        clientX: (first.clientX + second.clientX) / 2,
        clientY: (first.clientY + second.clientY) / 2,
      }
      scaleSlide(pinch.slide, zoom, pointIn(pinch.slide, middle))
    }
    const onEnd = (event: TouchEvent) => {
      if (!pinch || event.touches.length > 1) return
      onZoomed(zoomOf(pinch.slide) > 1)
      pinch = null
    }
    box.addEventListener('touchmove', onMove, { passive: false })
    box.addEventListener('touchend', onEnd)
    box.addEventListener('touchcancel', onEnd)
    return () => {
      box.removeEventListener('touchmove', onMove)
      box.removeEventListener('touchend', onEnd)
      box.removeEventListener('touchcancel', onEnd)
    }
  }, [])
}
