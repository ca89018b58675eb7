import { Link, useLocation } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import type { Seller } from '@/features/accounts/session'
import { mayOpen } from '@/features/staff/permissions'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Dialog } from '@/ui/dialog'
import type { IconProps } from '@/ui/icons'
import { LockIcon } from '@/ui/icons-forms'
import {
  BellIcon,
  BoxIcon,
  ChartIcon,
  ClipboardCheckIcon,
  ClipboardIcon,
  CoinsIcon,
  DocumentIcon,
  DotsIcon,
  EnvelopeIcon,
  GridIcon,
  HistoryIcon,
  PeopleIcon,
  ShopIcon,
  SparkIcon,
  TagIcon,
  TruckIcon,
} from '@/ui/icons-seller'

type NavItem = { to: (typeof paths)[keyof typeof paths]; label: MessageId; icon: ComponentType<IconProps> }

/** The entries of a phone's bar; the others are behind its fourth button. */
const DAILY: NavItem[] = [
  { to: paths.seller, label: 'seller.nav.products', icon: BoxIcon },
  { to: paths.sellerOrders, label: 'seller.nav.orders', icon: ClipboardIcon },
  { to: paths.sellerCategories, label: 'nav.categories', icon: GridIcon },
  { to: paths.sellerDeliveries, label: 'seller.nav.deliveries', icon: ClipboardIcon },
]
const OFTEN: NavItem[] = [
  { to: paths.sellerPacking, label: 'seller.nav.packing', icon: BoxIcon },
  { to: paths.sellerStock, label: 'seller.nav.stock', icon: ClipboardCheckIcon },
  { to: paths.sellerOverview, label: 'seller.nav.overview', icon: ChartIcon },
  { to: paths.sellerAttention, label: 'seller.nav.attention', icon: BellIcon },
  { to: paths.sellerCoupons, label: 'seller.nav.coupons', icon: TagIcon },
  { to: paths.sellerMoney, label: 'seller.nav.money', icon: CoinsIcon },
  { to: paths.sellerCash, label: 'seller.nav.cash', icon: CoinsIcon },
]
const SHOP: NavItem[] = [
  { to: paths.sellerSettings, label: 'seller.nav.settings', icon: ShopIcon },
  { to: paths.sellerSeasons, label: 'seller.nav.seasons', icon: SparkIcon },
  { to: paths.sellerStaff, label: 'seller.nav.staff', icon: PeopleIcon },
  { to: paths.sellerDeliveryZones, label: 'seller.nav.deliveryZones', icon: TruckIcon },
  { to: paths.sellerPolicies, label: 'seller.nav.policies', icon: DocumentIcon },
  { to: paths.sellerNewsletter, label: 'seller.nav.newsletter', icon: EnvelopeIcon },
  { to: paths.sellerAudit, label: 'seller.nav.audit', icon: HistoryIcon },
  { to: paths.sellerAlerts, label: 'seller.nav.alerts', icon: BellIcon },
  { to: paths.sellerSecurity, label: 'seller.nav.security', icon: LockIcon },
]

/** The entry of each page that has none of its own. */
const ENTRIES: Record<string, string> = {
  [paths.sellerAddProduct]: paths.seller,
  [paths.sellerImport]: paths.seller,
  [paths.sellerDelivery]: paths.sellerOrders,
}

const entryOf = (path: string) =>
  path.startsWith('/seller/complaints/') ? paths.sellerAttention : ENTRIES[path]

const MAX_SHOWN = 99
const SHEET = 'seller-places'

/** `open` is the number of open cases; `seller` is null until the session check has finished. */
export function SellerNav({ seller, open }: { seller: Seller | null; open: number }) {
  const t = useT()
  const allowed = (items: NavItem[]) => items.filter(({ to }) => mayOpen(seller, to))
  const [daily, often, shop] = [allowed(DAILY), allowed(OFTEN), allowed(SHOP)]
  const [more, setMore] = useState(false)
  const path = useLocation({ select: (location) => location.pathname })
  const close = () => setMore(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of page closes the sheet
  useEffect(close, [path])
  const places = shop.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry changes with the page and with what is allowed
  useEffect(() => {
    // On a low screen, the list of a wide dashboard scrolls by itself.
    const entry = document.querySelector('.seller-nav [aria-current]')?.getBoundingClientRect()
    const list = document.querySelector('.seller-nav')
    if (!entry || !list) return
    // `scrollIntoView` would scroll the page as well, away from its heading.
    const box = list.getBoundingClientRect()
    list.scrollTop += Math.min(0, entry.top - box.top) + Math.max(0, entry.bottom - box.bottom)
  }, [path, places])
  const behind = [...often, ...shop]
  return (
    <>
      <nav className="seller-nav" aria-label={t('seller.nav.label')}>
        <ul>
          <NavItems items={daily} />
        </ul>
        {often.length > 0 ? (
          <ul className="seller-nav-wide">
            <NavItems items={often} open={open} />
          </ul>
        ) : null}
        <p id="seller-shop" className="seller-nav-group seller-nav-wide">
          {t('seller.nav.shop')}
        </p>
        <ul className="seller-nav-wide" aria-labelledby="seller-shop">
          <NavItems items={shop} />
        </ul>
        <button
          type="button"
          className="seller-nav-more"
          aria-haspopup="dialog"
          aria-expanded={more}
          data-here={behind.some(({ to }) => to === (entryOf(path) ?? path))}
          onClick={() => setMore(true)}
        >
          <DotsIcon />
          <span>{t('seller.nav.more')}</span>
          <Count open={open} />
        </button>
      </nav>
      {more ? (
        <Dialog id={SHEET} variant="sheet" title={t('seller.nav.more')} onClose={close}>
          <nav className="seller-nav-sheet" aria-label={t('seller.nav.more')}>
            {often.length > 0 ? (
              <ul>
                <NavItems items={often} open={open} onPick={close} />
              </ul>
            ) : null}
            <p className="seller-nav-group">{t('seller.nav.shop')}</p>
            <ul>
              <NavItems items={shop} onPick={close} />
            </ul>
          </nav>
        </Dialog>
      ) : null}
    </>
  )
}

function NavItems({ items, open = 0, onPick }: { items: NavItem[]; open?: number; onPick?: () => void }) {
  const t = useT()
  const entry = useLocation({ select: ({ pathname }) => entryOf(pathname) })
  return items.map(({ to, label, icon: Icon }) => (
    <li key={to}>
      <Link
        to={to}
        activeOptions={{ exact: true, includeSearch: false }}
        {...(to === entry ? { 'aria-current': 'true' as const } : {})}
        {...(onPick ? { onClick: onPick } : {})}
      >
        <Icon />
        <span>{t(label)}</span>
        {to === paths.sellerAttention ? <Count open={open} named /> : null}
      </Link>
    </li>
  ))
}

function Count({ open, named = false }: { open: number; named?: boolean }) {
  const t = useT()
  const lang = useLang()
  if (open <= 0) return null
  return (
    <span className="seller-nav-count" {...(named ? { 'data-testid': 'open-cases' } : {})}>
      <span aria-hidden="true">
        {open > MAX_SHOWN ? `${formatNumber(MAX_SHOWN, lang)}+` : formatNumber(open, lang)}
      </span>
      <span className="sr-only">{t('seller.nav.openCases', { n: open })}</span>
    </span>
  )
}
