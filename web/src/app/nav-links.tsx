import { Link } from '@tanstack/react-router'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'

const LINKS = [
  { to: paths.home, label: 'nav.home' },
  { to: paths.products, label: 'nav.products' },
  { to: paths.categories, label: 'nav.categories' },
  { to: paths.offers, label: 'nav.offers' },
] as const

export function NavLinks({ onPick }: { onPick?: () => void }) {
  const t = useT()
  return LINKS.map(({ to, label }) => (
    <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }} onClick={onPick}>
      {t(label)}
    </Link>
  ))
}
