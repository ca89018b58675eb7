import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { wishlistQueries } from '@/features/wishlist/api'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'

/** What the shopper has bought before; nothing until there is something. */
export function BuyAgainRail() {
  const t = useT()
  const { data } = useQuery(wishlistQueries.buyAgain)
  if (!data?.length) return null
  return (
    <section className="section" aria-labelledby="buy-again">
      <div className="section-head">
        <h2 id="buy-again">{t('buyAgain.title')}</h2>
        <Link className="link" to={paths.orders}>
          {t('buyAgain.orders')}
        </Link>
      </div>
      <ShopProductGrid products={data} variant="rail" />
    </section>
  )
}
