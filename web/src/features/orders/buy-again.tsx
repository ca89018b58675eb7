import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '@/api/query-client'
import { cartStore } from '@/features/cart/cart-store'
import { catalogueQueries } from '@/features/catalogue/api'
import type { OrderItem } from '@/features/orders/api'
import { type RawText, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** Adds the items that are still sold to the cart, names the others, and opens the cart, where the order is placed. */
export function BuyAgain({ items }: { items: OrderItem[] }) {
  const t = useT()
  const lang = useLang()
  const navigate = useNavigate()
  const [busy, run] = useBusy()

  const buy = async () => {
    const ids = items.map(({ _id }) => _id).sort()
    // The query itself shows a message when it fails.
    const products = await queryClient
      .fetchQuery({ ...catalogueQueries.byIds(ids), staleTime: 0 })
      .catch(() => null)
    if (!products) return
    const stock = new Map(products.map(({ id, stock: left }) => [id, left]))
    const missing = items.filter(
      ({ _id, quantity }) => cartStore.add(_id, quantity, stock.get(_id) ?? 0) === 0,
    )
    if (missing.length === items.length) {
      toast.error('orders.againNone')
      return
    }
    const names = missing.map((item) => localText(item, 'name', lang)).join(', ')
    toast.success(names ? (t('orders.againSome', { names }) as RawText) : 'orders.againDone')
    await navigate({ to: paths.cart })
  }

  return (
    <button type="button" className="button button-primary" aria-busy={busy} onClick={() => void run(buy)}>
      {t('orders.again')}
    </button>
  )
}
