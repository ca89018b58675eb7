import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ExpiringBatch, expiringBatches } from '@/features/inventory/api'
import { ProductName, useNameOf } from '@/features/inventory/product-name'
import { useWriteOff } from '@/features/inventory/waste-form'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { parseWholeNumber } from '@/lib/latin-digits'
import { latinDigitsRef } from '@/ui/latin-digits-ref'
import { LoadState } from '@/ui/load-state'

const DAYS = [3, 7, 30]

/** Batches that have expired or expire soon. One press writes off what is left of a batch. */
export function ExpiringList() {
  const t = useT()
  const [days, setDays] = useState(7)
  const query = useQuery(expiringBatches(days))
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <section className="stock-box" aria-labelledby="stock-expiring">
      <h2 id="stock-expiring">{t('seller.inventory.expiring')}</h2>
      <div className="segments">
        {DAYS.map((each) => (
          <button key={each} type="button" aria-pressed={each === days} onClick={() => setDays(each)}>
            {t('seller.inventory.withinDays', { n: each })}
          </button>
        ))}
      </div>
      <LoadState
        query={query}
        problem="seller.inventory.failed"
        skeleton={<div className="stock-skeleton skeleton" />}
      >
        {({ batches }) =>
          batches.length === 0 ? (
            <p className="muted">{t('seller.inventory.expiringNone')}</p>
          ) : (
            <>
              <p className="muted">{t('seller.inventory.expiringText')}</p>
              <ul className="stock-lines">
                {batches.map((batch) => (
                  <Batch key={batch._id} batch={batch} />
                ))}
              </ul>
            </>
          )
        }
      </LoadState>
    </section>
  )
}

function Batch({ batch }: { batch: ExpiringBatch }) {
  const t = useT()
  const lang = useLang()
  const [quantity, setQuantity] = useState(String(batch.left))
  const [busy, writeOff] = useWriteOff()
  const name = useNameOf(batch.product)
  const { daysLeft } = batch
  const state = daysLeft < 0 ? 'expired' : daysLeft === 0 ? 'today' : 'soon'
  const said = {
    expired: t('seller.inventory.expiredOn', { day: formatDate(batch.expiresOn, lang) }),
    today: t('seller.inventory.expiresToday'),
    soon: t('seller.inventory.expiresIn', { n: daysLeft, day: formatDate(batch.expiresOn, lang) }),
  }[state]
  const units = parseWholeNumber(quantity)
  const press = () =>
    void writeOff({ product: batch.product._id, quantity: units, reason: 'expired', batch: batch._id })
  return (
    <li className="stock-line stock-batch" data-testid="batch" data-state={state}>
      <p>
        <ProductName product={batch.product} />
        <br />
        <span className="stock-expiry">{said}</span>
      </p>
      <div className="stock-batch-tools">
        <input
          className="input"
          type="number"
          inputMode="numeric"
          min={1}
          max={batch.left}
          aria-label={t('seller.inventory.unitsOf', { name })}
          ref={latinDigitsRef}
          value={quantity}
          onChange={(event) => setQuantity(event.target.value)}
        />
        <button
          type="button"
          className="button button-outline"
          aria-busy={busy}
          disabled={busy || !(units >= 1)}
          aria-label={t('seller.inventory.writeOffBatch', { n: units || 0, name })}
          onClick={press}
        >
          {t('seller.inventory.writeOff')}
        </button>
      </div>
    </li>
  )
}
