import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect } from 'react'
import { serverText } from '@/api/server-text'
import { type GoodsReceipt, inventoryApi, receipts } from '@/features/inventory/api'
import { ProductName } from '@/features/inventory/product-name'
import { SAVE_TEXTS } from '@/features/inventory/texts'
import { useMay } from '@/features/staff/permissions'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDate } from '@/lib/dates'
import { formatDateTime } from '@/lib/dates-time'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { latinDigitsRef } from '@/ui/latin-digits-ref'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** Earlier deliveries, newest first. */
export function ReceiptList() {
  const t = useT()
  const query = useInfiniteQuery(receipts)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <section aria-labelledby="stock-receipts">
      <h2 id="stock-receipts">{t('seller.inventory.receipts')}</h2>
      <LoadState
        query={query}
        problem="seller.inventory.failed"
        skeleton={<div className="stock-skeleton skeleton" />}
      >
        {({ pages }) => {
          const all = pages.flatMap((page) => page.receipts)
          if (all.length === 0) return <p className="muted">{t('seller.inventory.receiptsNone')}</p>
          return (
            <>
              <ul className="stock-lines">
                {all.map((receipt) => (
                  <ReceiptCard key={receipt._id} receipt={receipt} />
                ))}
              </ul>
              <LoadMoreButton query={query} label="seller.inventory.more" />
            </>
          )
        }}
      </LoadState>
    </section>
  )
}

function ReceiptCard({ receipt }: { receipt: GoodsReceipt }) {
  const t = useT()
  const lang = useLang()
  const mayCosts = useMay()('inventory.costs')
  const missing = receipt.lines.filter(({ cost }) => cost === null).length
  const details = [receipt.receivedBy, receipt.invoice].filter(Boolean).join(' · ')
  return (
    <li className="stock-line" data-testid="receipt">
      <p>
        <strong>{formatDateTime(receipt.receivedAt, lang)}</strong>{' '}
        <span translate="no">{receipt.supplier ?? t('seller.inventory.noSupplier')}</span>
      </p>
      <p className="muted" translate="no">
        {details}
      </p>
      <ul className="stock-plain">
        {receipt.lines.map((line) => (
          <li key={line._id}>
            {formatNumber(line.quantity, lang)} × <ProductName product={line.product} />
            {line.cost === null ? '' : ` · ${formatMoney(toPaisa(line.cost), lang, 'always')}`}
            {line.expiresOn
              ? ` · ${t('seller.inventory.expires', { day: formatDate(line.expiresOn, lang) })}`
              : ''}
          </li>
        ))}
      </ul>
      {mayCosts ? (
        <details className="stock-details">
          <summary>
            {missing > 0
              ? t('seller.inventory.costMissing', { n: missing })
              : t('seller.inventory.costChange')}
          </summary>
          <CostForm receipt={receipt} />
        </details>
      ) : null}
    </li>
  )
}

/** What each line cost, which a packer leaves to the owner. */
function CostForm({ receipt }: { receipt: GoodsReceipt }) {
  const t = useT()
  const [busy, run] = useBusy()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const costs = receipt.lines.map(({ _id }) => {
      const text = String(fields.get(_id) ?? '')
      return { line: _id, cost: text === '' ? null : Number(text) }
    })
    void run(async () => {
      try {
        await inventoryApi.setCosts(receipt._id, costs)
        toast.success('seller.inventory.costsSaved')
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, SAVE_TEXTS))
      }
    })
  }
  return (
    <form className="form" method="post" onSubmit={submit}>
      <p className="field-hint">{t('seller.inventory.costHint')}</p>
      {receipt.lines.map((line) => (
        <div key={line._id} className="field">
          <label htmlFor={`cost-${line._id}`}>
            <ProductName product={line.product} />
          </label>
          <input
            id={`cost-${line._id}`}
            className="input"
            name={line._id}
            type="number"
            inputMode="decimal"
            min={0}
            max={1_000_000}
            step="any"
            ref={latinDigitsRef}
            defaultValue={line.cost ?? ''}
          />
        </div>
      ))}
      <SubmitButton busy={busy}>{t('seller.inventory.saveCosts')}</SubmitButton>
    </form>
  )
}
