import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { serverText } from '@/api/server-text'
import { type Category, catalogueQueries } from '@/features/catalogue/api'
import { inventoryApi, type StockCount, stockCounts } from '@/features/inventory/api'
import { SAVE_TEXTS } from '@/features/inventory/texts'
import { useRequestId } from '@/features/inventory/use-request-id'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { SelectField } from '@/ui/field'
import { ClipboardCheckIcon } from '@/ui/icons-seller'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { StatePanel } from '@/ui/state-panel'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const STATES: Record<string, MessageId> = {
  open: 'seller.inventory.count.open',
  applied: 'seller.inventory.count.applied',
  discarded: 'seller.inventory.count.discarded',
}

/** The name of what is counted: a category, or the whole shop. */
export function useCountName() {
  const t = useT()
  const lang = useLang()
  const { data: categories = [] } = useQuery(catalogueQueries.categories())
  return (category: string | null) => {
    const found = categories.find(({ _id }: Category) => _id === category)
    return found ? localText(found, 'name', lang) : t('seller.inventory.wholeShop')
  }
}

/** Starts a stock count, and lists the earlier ones. */
export function CountPanel({ onOpen }: { onOpen: (id: string) => void }) {
  const t = useT()
  const query = useInfiniteQuery(stockCounts)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <div className="stock">
      <StartForm onOpen={onOpen} />
      <section aria-labelledby="stock-counts">
        <h2 id="stock-counts">{t('seller.inventory.counts')}</h2>
        <LoadState
          query={query}
          problem="seller.inventory.failed"
          skeleton={<div className="stock-skeleton skeleton" />}
        >
          {({ pages }) => {
            const all = pages.flatMap((page) => page.counts)
            if (all.length === 0)
              return (
                <StatePanel
                  icon={<ClipboardCheckIcon size={36} />}
                  title={t('seller.inventory.countsNone')}
                  text={t('seller.inventory.countsNoneText')}
                />
              )
            return (
              <>
                <ul className="stock-lines">
                  {all.map((count) => (
                    <CountCard key={count._id} count={count} onOpen={() => onOpen(count._id)} />
                  ))}
                </ul>
                <LoadMoreButton query={query} label="seller.inventory.more" />
              </>
            )
          }}
        </LoadState>
      </section>
    </div>
  )
}

function CountCard({ count, onOpen }: { count: StockCount; onOpen: () => void }) {
  const t = useT()
  const lang = useLang()
  const name = useCountName()(count.category)
  const state = STATES[count.state]
  return (
    <li className="stock-line stock-batch" data-testid="count">
      <p>
        <strong>{name}</strong>
        {state ? ` · ${t(state)}` : ''}
        <br />
        <span className="muted">
          {formatDateTime(count.startedAt, lang)} · <span translate="no">{count.startedBy}</span>
          {' · '}
          {t('seller.inventory.counted', { n: count.counted })}
        </span>
      </p>
      <button
        type="button"
        className="button button-outline"
        aria-label={t('seller.inventory.openCount', { name })}
        onClick={onOpen}
      >
        {t(count.state === 'open' ? 'seller.inventory.goOn' : 'seller.inventory.view')}
      </button>
    </li>
  )
}

function StartForm({ onOpen }: { onOpen: (id: string) => void }) {
  const t = useT()
  const lang = useLang()
  const { data: categories = [] } = useQuery(catalogueQueries.categories())
  const [category, setCategory] = useState('')
  const [busy, run] = useBusy()
  const [requestId, requestDone] = useRequestId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      try {
        const { count } = await inventoryApi.startCount(requestId(), category || null)
        requestDone()
        onOpen(count._id)
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, SAVE_TEXTS))
      }
    })
  }
  return (
    <form className="form box" method="post" aria-labelledby="count-title" onSubmit={submit}>
      <h2 id="count-title">{t('seller.inventory.countTitle')}</h2>
      <p className="muted">{t('seller.inventory.countText')}</p>
      <SelectField
        label={t('seller.inventory.countWhat')}
        value={category}
        onChange={(event) => setCategory(event.target.value)}
      >
        <option value="">{t('seller.inventory.wholeShop')}</option>
        {categories.map((each) => (
          <option key={each._id} value={each._id} translate="no">
            {localText(each, 'name', lang)}
          </option>
        ))}
      </SelectField>
      <SubmitButton busy={busy}>{t('seller.inventory.startCount')}</SubmitButton>
    </form>
  )
}
