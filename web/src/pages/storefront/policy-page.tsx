import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type PolicyName, policyPage } from '@/features/policies/api'
import { PolicyText } from '@/features/policies/policy-text'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'

const PAGES = {
  [paths.privacy]: { name: 'privacy', title: 'policies.privacy' },
  [paths.terms]: { name: 'terms', title: 'policies.terms' },
  [paths.returns]: { name: 'returns', title: 'policies.returns' },
  [paths.deliveryPolicy]: { name: 'delivery', title: 'policies.delivery' },
} as const satisfies Record<string, { name: PolicyName; title: string }>

/** One page for all policies: the address says which. */
export function PolicyPage() {
  const t = useT()
  const lang = useLang()
  const path = useLocation({ select: (location) => location.pathname.replace(/\/$/, '') })
  const { name, title } = PAGES[path as keyof typeof PAGES] ?? PAGES[paths.privacy]
  const query = useQuery(policyPage(name))
  usePageTitle(t(title))
  return (
    <div className="wrap page prose">
      <h1>{t(title)}</h1>
      <LoadState query={query} problem="policies.failed" skeleton={<div className="skeleton-late" />}>
        {(page) => (
          <>
            <PolicyText html={lang === 'ne' ? page.htmlNe : page.html} />
            {page.updatedAt ? (
              <p className="muted policy-updated">
                {t('policies.updated', { date: formatDate(page.updatedAt, lang) })}
              </p>
            ) : null}
          </>
        )}
      </LoadState>
    </div>
  )
}
