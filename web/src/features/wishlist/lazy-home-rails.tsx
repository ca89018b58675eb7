import { useEffect, useRef, useState } from 'react'
import type { Category } from '@/features/catalogue/api'
import { loadWithMessages } from '@/lib/i18n'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

const HomeRails = lazyWithRetry(async () => {
  const module = await loadWithMessages(
    'features/wishlist/home-rails',
    () => import('@/features/wishlist/home-rails'),
  )
  return module.HomeRails
})

/**
 * The rails load when the shopper scrolls to them: many visits end before, and the first page needs no request. Their
 * place is as high as a screen until all of them can be shown, so that nothing visible moves.
 */
export function LazyHomeRails({ categories }: { categories: Category[] | undefined }) {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  const [ready, setReady] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setNear(true)
    })
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} className={ready ? undefined : 'rails-place'}>
      {near && categories ? <HomeRails categories={categories} onReady={() => setReady(true)} /> : null}
    </div>
  )
}
