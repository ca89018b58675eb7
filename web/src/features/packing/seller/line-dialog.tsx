import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatSellerPrice } from '@/features/orders/seller/price-format'
import { type PackingLine, type Replacement, replacementsFor } from '@/features/packing/seller/packing-api'
import { type LineDraft, REASONS, type Reason } from '@/features/packing/seller/packing-draft'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { Dialog } from '@/ui/dialog'
import { LoadState } from '@/ui/load-state'

type LineDialogProps = {
  line: PackingLine
  said: LineDraft | undefined
  onSave: (said: LineDraft) => void
  onClose: () => void
}

/** A line that cannot be packed as ordered: how many there are, why, and what is packed instead. */
export function LineDialog({ line, said, onSave, onClose }: LineDialogProps) {
  const t = useT()
  const lang = useLang()
  const [packed, setPacked] = useState(Math.min(said?.packed ?? 0, line.quantity - 1))
  const [reason, setReason] = useState<Reason>(said?.reason ?? 'not_available')
  const [replacement, setReplacement] = useState<LineDraft['replacement']>(said?.replacement)
  const offers = useQuery(replacementsFor(line.product))
  const choose = (offer: Replacement) =>
    setReplacement((chosen) =>
      chosen?.product === offer.product
        ? undefined
        : {
            product: offer.product,
            name: offer.name,
            nameNe: offer.nameNe,
            price: offer.price,
            quantity: Math.min(line.quantity - packed, offer.stock),
          },
    )
  return (
    <Dialog id="packing-line" variant="form" title={localText(line, 'name', lang)} onClose={onClose}>
      <form
        className="form packing-line-form"
        onSubmit={(event) => {
          event.preventDefault()
          onSave({ packed, reason, ...(replacement ? { replacement } : {}) })
        }}
      >
        <label className="field">
          <span>{t('seller.packing.howMany')}</span>
          <select
            className="input"
            value={packed}
            onChange={({ target }) => {
              setPacked(Number(target.value))
              setReplacement(undefined)
            }}
          >
            {Array.from({ length: line.quantity }, (_, count) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the value
              <option key={count} value={count}>
                {t('packing.count', {
                  packed: formatNumber(count, lang),
                  ordered: formatNumber(line.quantity, lang),
                })}
              </option>
            ))}
          </select>
        </label>
        <fieldset className="packing-choice">
          <legend>{t('seller.packing.why')}</legend>
          {REASONS.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="reason"
                value={each}
                checked={reason === each}
                onChange={() => setReason(each)}
              />
              {t(`packing.reason.${each}`)}
            </label>
          ))}
        </fieldset>
        <fieldset className="packing-choice">
          <legend>{t('seller.packing.instead')}</legend>
          <LoadState
            query={offers}
            problem="seller.packing.failed"
            skeleton={<div className="disclosure-skeleton skeleton" />}
          >
            {(list) =>
              list.length > 0 ? (
                <ul className="packing-offers">
                  {list.map((offer) => {
                    const name = localText(offer, 'name', lang)
                    return (
                      <li key={offer.product}>
                        <button
                          type="button"
                          className="packing-offer"
                          aria-pressed={replacement?.product === offer.product}
                          onClick={() => choose(offer)}
                        >
                          <span lang={scriptLang(name, lang)} translate="no">
                            {name}
                          </span>
                          <span className="muted">
                            {formatSellerPrice(offer.price, lang)} ·{' '}
                            {t('seller.packing.inStock', { n: offer.stock })}
                          </span>
                        </button>
                      </li>
                    )
                  })}
                </ul>
              ) : (
                <p className="muted">{t('seller.packing.noOffers')}</p>
              )
            }
          </LoadState>
        </fieldset>
        <button type="submit" className="button button-primary button-wide">
          {t('seller.packing.save')}
        </button>
      </form>
    </Dialog>
  )
}
