import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { importQueries } from '@/features/catalogue/seller/import-api'
import { StateBadge } from '@/features/catalogue/seller/import-card'
import { formatDateTime } from '@/lib/dates-time'
import { useLang, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { LoadState } from '@/ui/load-state'

export function RecentImports() {
  const t = useT()
  const lang = useLang()
  const query = useQuery(importQueries.recent())
  return (
    <section className="recent" aria-labelledby="recent-imports">
      <h2 id="recent-imports">{t('seller.imports.recent')}</h2>
      <LoadState
        query={query}
        problem="seller.imports.recentFailed"
        skeleton={<div className="skeleton recent-skeleton" />}
      >
        {(list) =>
          list.length > 0 ? (
            <ul>
              {list.map((each) => (
                <li key={each._id}>
                  <Link
                    className="link"
                    to={paths.sellerImport}
                    search={{ id: each._id } as never}
                    translate="no"
                  >
                    {each.fileName}
                  </Link>
                  <StateBadge state={each.state} />
                  <span className="muted" data-verbatim={each.by}>
                    {t('seller.imports.startedBy', {
                      by: each.by,
                      when: formatDateTime(each.createdAt, lang),
                    })}
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="muted">{t('seller.imports.noRecent')}</p>
          )
        }
      </LoadState>
    </section>
  )
}
