import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'

const STARS = [1, 2, 3, 4, 5]

/** Whole stars only, rounded down: 4.9 is not five stars. */
export function Stars({ rating, reviews }: { rating: number; reviews: number }) {
  const t = useT()
  const lang = useLang()
  const label = t('product.rated', { n: reviews, rating: formatNumber(rating, lang, 1) })
  return (
    <span className="stars" role="img" aria-label={label}>
      {STARS.map((star) => (
        <span key={star} className={star <= Math.floor(rating) ? 'star' : 'star star-off'} aria-hidden="true">
          ★
        </span>
      ))}
    </span>
  )
}
