import '@/styles/seller-settings.css'
import '@/styles/seller-policies.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { policies } from '@/features/policies/seller/api'
import { PolicyEditor } from '@/features/policies/seller/policy-editor'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { type MessageId, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'

const PAGES: Record<string, { title: MessageId; path: string }> = {
  privacy: { title: 'policies.privacy', path: paths.privacy },
  terms: { title: 'policies.terms', path: paths.terms },
  returns: { title: 'policies.returns', path: paths.returns },
  delivery: { title: 'policies.delivery', path: paths.deliveryPolicy },
  about: { title: 'seller.policies.about', path: paths.about },
}

/** The shop's policy pages, one of them open in the editor. */
export function SellerPoliciesPage() {
  const t = useT()
  usePageTitle(t('seller.nav.policies'))
  const [name, setName] = useState('privacy')
  const query = useQuery(policies)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const title = (page: string) => t(PAGES[page]?.title ?? 'seller.nav.policies')
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.policies')}</h1>
      </div>
      <p className="muted">{t('seller.policies.intro')}</p>
      <LoadState
        query={query}
        problem="seller.policies.failed"
        skeleton={<div className="settings-skeleton skeleton" aria-hidden="true" />}
      >
        {(pages) => {
          const page = pages.find((each) => each.page === name) ?? pages[0]
          if (!page) return null
          return (
            <div className="policy-columns">
              <nav className="policy-pages" aria-label={t('seller.policies.pages')}>
                <ul>
                  {pages.map((each) => (
                    <li key={each.page}>
                      <button
                        type="button"
                        aria-current={each.page === page.page}
                        onClick={() => setName(each.page)}
                      >
                        {title(each.page)}
                        {each.isTemplate ? (
                          <span className="muted">{t('seller.policies.isTemplate')}</span>
                        ) : null}
                      </button>
                    </li>
                  ))}
                </ul>
              </nav>
              <div>
                <div className="policy-head">
                  <h2>{title(page.page)}</h2>
                  <a className="link" href={PAGES[page.page]?.path} target="_blank" rel="noopener">
                    {t('seller.policies.open')}
                  </a>
                </div>
                {/* A saved version starts the editor anew. */}
                <PolicyEditor key={`${page.page} ${page.version}`} page={page} />
              </div>
            </div>
          )
        }}
      </LoadState>
    </>
  )
}
