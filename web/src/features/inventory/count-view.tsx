import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { serverText } from '@/api/server-text'
import { catalogueQueries } from '@/features/catalogue/api'
import {
  inventoryApi,
  type StockCountDetails,
  type StockCountLine,
  type StockProduct,
  stockCount,
} from '@/features/inventory/api'
import { useCountName } from '@/features/inventory/count-panel'
import { ProductName, useNameOf } from '@/features/inventory/product-name'
import { toStockProduct } from '@/features/inventory/product-picker'
import { SAVE_TEXTS } from '@/features/inventory/texts'
import { useRequestId } from '@/features/inventory/use-request-id'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { messageText, useLang, useT } from '@/lib/i18n'
import { parseWholeNumber } from '@/lib/latin-digits'
import { formatNumber } from '@/lib/money'
import { useDebounced } from '@/lib/use-debounced'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { latinDigitsRef } from '@/ui/latin-digits-ref'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { SearchField } from '@/ui/search-field'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** One stock count: products with a large field each while it is open, the differences once it is applied. */
export function CountView({ id, onBack }: { id: string; onBack: () => void }) {
  const t = useT()
  const nameOf = useCountName()
  const query = useQuery(stockCount(id))
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <div className="stock">
      <button type="button" className="button button-plain stock-back" onClick={onBack}>
        ‹ {t('seller.inventory.allCounts')}
      </button>
      <LoadState
        query={query}
        problem="seller.inventory.failed"
        skeleton={<div className="stock-skeleton skeleton" />}
      >
        {(details) => (
          <>
            <h2>{t('seller.inventory.countOf', { name: nameOf(details.count.category) })}</h2>
            {details.count.state === 'open' ? (
              <OpenCount details={details} onDone={onBack} />
            ) : (
              <Differences details={details} />
            )}
          </>
        )}
      </LoadState>
    </div>
  )
}

function useCategorySlug(id: string | null) {
  const { data: categories } = useQuery(catalogueQueries.categories())
  return categories?.find(({ _id }) => _id === id)?.slug
}

function OpenCount({ details, onDone }: { details: StockCountDetails; onDone: () => void }) {
  const t = useT()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), 200)
  const slug = useCategorySlug(details.count.category)
  const filter = {
    sort: 'name' as const,
    ...(slug ? { category: slug } : {}),
    ...(search ? { search } : {}),
  }
  const ready = details.count.category === null || slug !== undefined
  const query = useInfiniteQuery({ ...catalogueQueries.products(filter), enabled: ready })
  const lineOf = new Map(details.lines.map((line) => [line.product, line]))
  return (
    <>
      <p className="muted">{t('seller.inventory.countHelp')}</p>
      <SearchField
        label={t('seller.inventory.findProduct')}
        hint={t('seller.inventory.findProductHint')}
        text={text}
        onChange={setText}
      />
      <LoadState
        query={query}
        problem="products.failed"
        skeleton={<div className="stock-skeleton skeleton" />}
      >
        {({ pages }) => {
          const products = pages.flatMap((page) => [...page.data, ...(search ? page.matches : [])])
          if (products.length === 0) return <p className="muted">{t('seller.inventory.noProduct')}</p>
          return (
            <>
              <ul className="stock-lines">
                {products.map((product) => (
                  <CountRow
                    key={product.id}
                    count={details.count._id}
                    product={toStockProduct(product)}
                    line={lineOf.get(product.id)}
                  />
                ))}
              </ul>
              <LoadMoreButton query={query} label="seller.inventory.more" />
            </>
          )
        }}
      </LoadState>
      <FinishBar details={details} onDone={onDone} />
    </>
  )
}

type CountRowProps = { count: string; product: StockProduct; line: StockCountLine | undefined }

function CountRow({ count, product, line }: CountRowProps) {
  const t = useT()
  const name = useNameOf(product)
  const [text, setText] = useState(line ? String(line.counted) : '')
  const [busy, run] = useBusy()
  const [requestId, requestDone] = useRequestId()
  const counted = parseWholeNumber(text)
  const changed = text !== '' && counted !== line?.counted
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (Number.isNaN(counted)) return
    void run(async () => {
      try {
        await inventoryApi.recordCount(count, { _id: requestId(), product: product._id, counted })
        requestDone()
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, SAVE_TEXTS))
      }
    })
  }
  return (
    <li className="stock-line" data-testid="count-row" data-counted={line !== undefined}>
      <form className="stock-count-row" method="post" onSubmit={submit}>
        <ProductName product={product} />
        <input
          className="input stock-number"
          type="number"
          inputMode="numeric"
          enterKeyHint="done"
          min={0}
          max={100_000}
          aria-label={t('seller.inventory.unitsOf', { name })}
          ref={latinDigitsRef}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            requestDone()
          }}
        />
        <button
          type="submit"
          className={`button ${changed ? 'button-primary' : 'button-outline'}`}
          aria-label={t('seller.inventory.saveCountOf', { name })}
          aria-busy={busy}
          disabled={busy || text === ''}
        >
          {t('seller.inventory.saveCount')}
        </button>
      </form>
      {line && !changed ? <Result line={line} /> : null}
    </li>
  )
}

/** What was counted against what there should be. */
function Result({ line }: { line: StockCountLine }) {
  const t = useT()
  const { difference, expected, reserved } = line
  const state = difference === 0 ? 'same' : difference < 0 ? 'missing' : 'extra'
  const said = {
    same: t('seller.inventory.matches', { n: expected }),
    missing: t('seller.inventory.missing', { n: -difference, expected }),
    extra: t('seller.inventory.extra', { n: difference, expected }),
  }[state]
  return (
    <p className="stock-result" role="status" data-state={state}>
      {said}
      {reserved > 0 ? ` ${t('seller.inventory.reserved', { n: reserved })}` : ''}
    </p>
  )
}

function FinishBar({ details, onDone }: { details: StockCountDetails; onDone: () => void }) {
  const t = useT()
  const [asking, setAsking] = useState<'apply' | 'discard' | null>(null)
  const [problem, setProblem] = useState<string>()
  const [busy, run] = useBusy()
  const different = details.lines.filter(({ difference }) => difference !== 0).length
  const { _id: id } = details.count
  const finish = (
    work: () => Promise<unknown>,
    done: 'seller.inventory.applied' | 'seller.inventory.discarded',
  ) =>
    void run(async () => {
      try {
        await work()
        toast.success(done)
        setAsking(null)
        if (done === 'seller.inventory.discarded') onDone()
      } catch (error) {
        if (!handleSellerSessionEnded(error)) setProblem(messageText(serverText(error, SAVE_TEXTS)))
      }
    })
  return (
    <div className="stock-finish">
      <p role="status">{t('seller.inventory.countedSoFar', { n: details.lines.length, different })}</p>
      <button type="button" className="button button-plain" onClick={() => setAsking('discard')}>
        {t('seller.inventory.discard')}
      </button>
      <button
        type="button"
        className="button button-primary"
        disabled={details.lines.length === 0}
        onClick={() => setAsking('apply')}
      >
        {t('seller.inventory.apply')}
      </button>
      {asking ? (
        <ConfirmDialog
          id="finish-count"
          title={t(asking === 'apply' ? 'seller.inventory.applyTitle' : 'seller.inventory.discardTitle')}
          text={
            asking === 'apply'
              ? t('seller.inventory.applyText', { n: different })
              : t('seller.inventory.discardText')
          }
          about=""
          confirm={t(asking === 'apply' ? 'seller.inventory.apply' : 'seller.inventory.discard')}
          keep={t('seller.inventory.keepCounting')}
          busy={busy}
          problem={problem}
          onConfirm={() =>
            asking === 'apply'
              ? finish(() => inventoryApi.applyCount(id), 'seller.inventory.applied')
              : finish(() => inventoryApi.discardCount(id), 'seller.inventory.discarded')
          }
          onCancel={() => setAsking(null)}
        />
      ) : null}
    </div>
  )
}

/** A finished count: what differed, and what was changed. */
function Differences({ details }: { details: StockCountDetails }) {
  const t = useT()
  const lang = useLang()
  const nameOf = new Map(details.products.map((product) => [product._id, product]))
  const different = details.lines.filter(({ difference }) => difference !== 0)
  const state = details.count.state === 'applied' ? 'applied' : 'discarded'
  return (
    <>
      <p role="status">
        {t(state === 'applied' ? 'seller.inventory.wasApplied' : 'seller.inventory.wasDiscarded', {
          n: details.lines.length,
        })}
      </p>
      {different.length === 0 ? (
        <p className="muted">{t('seller.inventory.allMatched')}</p>
      ) : (
        <ul className="stock-lines">
          {different.map((line) => {
            const product = nameOf.get(line.product)
            const short = line.applied === null ? 0 : line.applied - line.difference
            return (
              <li key={line.product} className="stock-line" data-testid="difference">
                <p>
                  {product ? <ProductName product={product} /> : null}{' '}
                  <strong>
                    {line.difference > 0 ? '+' : '−'}
                    {formatNumber(Math.abs(line.difference), lang)}
                  </strong>
                </p>
                <Result line={line} />
                {short > 0 ? (
                  <p className="stock-result" data-state="missing">
                    {t('seller.inventory.oversold', { n: short })}
                  </p>
                ) : null}
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
