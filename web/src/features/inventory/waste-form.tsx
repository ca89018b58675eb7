import { type FormEvent, useState } from 'react'
import { serverText } from '@/api/server-text'
import {
  inventoryApi,
  type StockProduct,
  WASTE_REASONS,
  type WasteInput,
  type WasteReason,
} from '@/features/inventory/api'
import { ProductName } from '@/features/inventory/product-name'
import { ProductPicker } from '@/features/inventory/product-picker'
import { QuantityField } from '@/features/inventory/quantity-field'
import { SAVE_TEXTS } from '@/features/inventory/texts'
import { useRequestId } from '@/features/inventory/use-request-id'
import { REASON_MESSAGES } from '@/features/inventory/waste-reasons'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { parseWholeNumber } from '@/lib/latin-digits'
import { TextField } from '@/ui/field'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** Returns a function that writes goods off and says what happened; it returns whether that worked. */
export function useWriteOff() {
  const [busy, run] = useBusy()
  const [requestId, requestDone] = useRequestId()
  const writeOff = async (input: Omit<WasteInput, '_id'>) => {
    let done = false
    await run(async () => {
      try {
        await inventoryApi.recordWaste({ ...input, _id: requestId() })
        requestDone()
        done = true
        toast.success('seller.inventory.writtenOff')
      } catch (error) {
        if (handleSellerSessionEnded(error)) return
        requestDone(error)
        toast.error(serverText(error, SAVE_TEXTS))
      }
    })
    return done
  }
  return [busy, writeOff] as const
}

/** Writes off goods that are broken, spoiled or gone. */
export function WasteForm() {
  const t = useT()
  const [product, setProduct] = useState<StockProduct | null>(null)
  const [quantity, setQuantity] = useState('1')
  const [reason, setReason] = useState<WasteReason>('spoiled')
  const [note, setNote] = useState('')
  const [busy, writeOff] = useWriteOff()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!product) return
    const input = { product: product._id, quantity: parseWholeNumber(quantity), reason, note: note.trim() }
    if (!(await writeOff(input))) return
    setProduct(null)
    setQuantity('1')
    setNote('')
  }
  return (
    <section className="box stock-box" aria-labelledby="stock-waste">
      <h2 id="stock-waste">{t('seller.inventory.wasteTitle')}</h2>
      <p className="muted">{t('seller.inventory.wasteText')}</p>
      <ProductPicker onPick={setProduct} />
      {product ? (
        <form className="form" method="post" onSubmit={(event) => void submit(event)}>
          <p data-testid="waste-product">
            <ProductName product={product} />
          </p>
          <QuantityField value={quantity} onChange={setQuantity} />
          <fieldset className="stock-reasons">
            <legend>{t('seller.inventory.reason')}</legend>
            {WASTE_REASONS.map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="reason"
                  value={each}
                  checked={reason === each}
                  onChange={() => setReason(each)}
                />
                <span>{t(REASON_MESSAGES[each])}</span>
              </label>
            ))}
          </fieldset>
          <TextField
            label={t('seller.inventory.note')}
            mark={reason === 'other' ? 'required' : 'optional'}
            required={reason === 'other'}
            maxLength={300}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <SubmitButton busy={busy} variant="danger">
            {t('seller.inventory.writeOff')}
          </SubmitButton>
        </form>
      ) : null}
    </section>
  )
}
