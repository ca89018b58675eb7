import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Product } from '@/features/catalogue/api'
import { ProductPicture } from '@/features/catalogue/product-picture'
import { loadWithMessages, useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { retryLoad } from '@/lib/retry-load'
import { createStore } from '@/lib/store'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Which picture of the product fills the screen, from 0. */
    picture?: number
  }
}

const parts = createStore<typeof import('@/features/catalogue/gallery-parts') | null>(null)

const load = () =>
  loadWithMessages('features/catalogue/gallery-parts', () => import('@/features/catalogue/gallery-parts'))

/**
 * The pictures of a product, side by side. A tap on one opens it in full size. Everything beyond the first picture
 * loads after the page.
 */
export function ProductGallery({ product }: { product: Product }) {
  const t = useT()
  const lang = useLang()
  const navigate = useNavigate()
  const track = useRef<HTMLDivElement>(null)
  // The picture that fills the screen is in the history, so that Back closes it, also on a phone.
  const opened = useLocation({ select: ({ state }) => state.picture })
  const wanted = opened !== undefined || product.moreImages !== undefined
  useEffect(() => {
    if (wanted && !parts.read()) retryLoad(load).then(parts.set, () => {})
  }, [wanted])
  const loaded = parts.use()

  const picture = <ProductPicture product={product} size="detail" eager />
  if (!product.image) return picture
  const slide = (index: number) => ({
    type: 'button' as const,
    className: 'gallery-slide',
    'aria-haspopup': 'dialog' as const,
    'aria-label': t('product.enlarge', { n: formatNumber(index + 1, lang) }),
    onClick: () =>
      void navigate({ to: '.', search: true as never, state: { picture: index }, resetScroll: false }),
  })
  return (
    <>
      <div ref={track} className="gallery-track">
        <button {...slide(0)}>{picture}</button>
        {loaded && wanted ? <loaded.MoreSlides product={product} slide={slide} /> : null}
      </div>
      {loaded && wanted ? <loaded.Gallery product={product} track={track} opened={opened} /> : null}
    </>
  )
}
