import '@/styles/wishlist.css'
import { useNavigate } from '@tanstack/react-router'
import type { Product } from '@/features/catalogue/api'
import { useMark } from '@/features/wishlist/use-mark'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { HeartIcon } from '@/ui/icons-wishlist'
import { toast } from '@/ui/toast'

type FavouriteButtonProps = {
  product: Product
  /** The element that names the product. */
  nameId?: string
}

/** The heart in the corner of a product's picture. */
export function FavouriteButton({ product, nameId }: FavouriteButtonProps) {
  const t = useT()
  const navigate = useNavigate()
  const { marked, toggle } = useMark('favourites', product.id, () =>
    toast.success('favourites.added', {
      label: 'favourites.view',
      run: () => void navigate({ to: paths.favourites }),
    }),
  )
  return (
    <button
      type="button"
      className="heart"
      aria-pressed={marked}
      aria-label={t('favourites.button')}
      aria-describedby={nameId}
      onClick={toggle}
    >
      <HeartIcon />
    </button>
  )
}
