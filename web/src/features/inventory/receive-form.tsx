import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { serverText } from '@/api/server-text'
import { inventoryApi, type ReceiveGoods, type StockProduct, suppliers } from '@/features/inventory/api'
import { ProductName, useNameOf } from '@/features/inventory/product-name'
import { ProductPicker } from '@/features/inventory/product-picker'
import { QuantityField } from '@/features/inventory/quantity-field'
import { SAVE_TEXTS } from '@/features/inventory/texts'
import { useRequestId } from '@/features/inventory/use-request-id'
import { useMay } from '@/features/staff/permissions'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { parseWholeNumber } from '@/lib/latin-digits'
import { SelectField, TextField } from '@/ui/field'
import { CloseIcon, TruckIcon } from '@/ui/icons'
import { latinDigitsRef } from '@/ui/latin-digits-ref'
import { StatePanel } from '@/ui/state-panel'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type Line = { key: number; product: StockProduct; quantity: string; cost: string; expiresOn: string }

/** Records a delivery: products by search or scanner, each with quantity, cost and expiry date. */
export function ReceiveForm() {
  const t = useT()
  const mayCosts = useMay()('inventory.costs')
  const { data: known = [] } = useQuery(suppliers)
  const [lines, setLines] = useState<Line[]>([])
  const [next, setNext] = useState(1)
  const [supplier, setSupplier] = useState('')
  const [invoice, setInvoice] = useState('')
  const [busy, run] = useBusy()
  const [requestId, requestDone] = useRequestId()
  const add = (product: StockProduct) => {
    setLines((all) => [{ key: next, product, quantity: '', cost: '', expiresOn: '' }, ...all])
    setNext(next + 1)
  }
  const change = (key: number, changes: Partial<Line>) =>
    setLines((all) => all.map((line) => (line.key === key ? { ...line, ...changes } : line)))
  const save = async () => {
    const body: ReceiveGoods = {
      _id: requestId(),
      ...(supplier ? { supplier } : {}),
      invoice: invoice.trim(),
      lines: lines.toReversed().map((line) => ({
        product: line.product._id,
        quantity: parseWholeNumber(line.quantity),
        ...(line.cost ? { cost: Number(line.cost) } : {}),
        ...(line.expiresOn ? { expiresOn: line.expiresOn } : {}),
      })),
    }
    try {
      await inventoryApi.receive(body)
      requestDone()
      setLines([])
      setInvoice('')
      toast.success('seller.inventory.received')
    } catch (error) {
      if (handleSellerSessionEnded(error)) return
      requestDone(error)
      toast.error(serverText(error, SAVE_TEXTS))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(save)
  }
  return (
    <section className="box stock-box" aria-labelledby="stock-receive">
      <h2 id="stock-receive">{t('seller.inventory.receiveTitle')}</h2>
      <ProductPicker onPick={add} />
      {lines.length === 0 ? (
        <StatePanel
          icon={<TruckIcon size={36} />}
          title={t('seller.inventory.receiveEmpty')}
          text={t('seller.inventory.receiveEmptyText')}
        />
      ) : (
        <form className="form" method="post" onSubmit={submit}>
          <ul className="stock-lines">
            {lines.map((line, index) => (
              <ReceiveLine
                key={line.key}
                line={line}
                mayCosts={mayCosts}
                focus={index === 0}
                onChange={(changes) => change(line.key, changes)}
                onRemove={() => setLines((all) => all.filter(({ key }) => key !== line.key))}
              />
            ))}
          </ul>
          <div className="stock-fields">
            <SelectField
              label={t('seller.inventory.supplier')}
              value={supplier}
              onChange={(event) => setSupplier(event.target.value)}
            >
              <option value="">{t('seller.inventory.noSupplier')}</option>
              {known
                .filter(({ isArchived }) => !isArchived)
                .map(({ _id, name }) => (
                  <option key={_id} value={_id} translate="no">
                    {name}
                  </option>
                ))}
            </SelectField>
            <TextField
              label={t('seller.inventory.invoice')}
              mark="optional"
              maxLength={100}
              value={invoice}
              onChange={(event) => setInvoice(event.target.value)}
            />
          </div>
          <SubmitButton busy={busy} wide>
            {t('seller.inventory.saveReceipt', { n: lines.length })}
          </SubmitButton>
        </form>
      )}
    </section>
  )
}

type ReceiveLineProps = {
  line: Line
  mayCosts: boolean
  focus: boolean
  onChange: (changes: Partial<Line>) => void
  onRemove: () => void
}

function ReceiveLine({ line, mayCosts, focus, onChange, onRemove }: ReceiveLineProps) {
  const t = useT()
  const name = useNameOf(line.product)
  return (
    <li className="stock-line" data-testid="receive-line">
      <div className="stock-line-head">
        <ProductName product={line.product} />
        <button
          type="button"
          className="icon-button"
          aria-label={t('seller.inventory.removeLine', { name })}
          onClick={onRemove}
        >
          <CloseIcon />
        </button>
      </div>
      <div className="stock-fields">
        {/* The newest line takes the focus, so that scanning and typing alternate. */}
        <QuantityField
          autoFocus={focus}
          value={line.quantity}
          onChange={(quantity) => onChange({ quantity })}
        />
        {mayCosts ? (
          <TextField
            label={t('seller.inventory.cost')}
            type="number"
            inputMode="decimal"
            min={0}
            max={1_000_000}
            step="any"
            ref={latinDigitsRef}
            value={line.cost}
            onChange={(event) => onChange({ cost: event.target.value })}
          />
        ) : null}
        <TextField
          label={t('seller.inventory.expiresOn')}
          type="date"
          value={line.expiresOn}
          onChange={(event) => onChange({ expiresOn: event.target.value })}
        />
      </div>
    </li>
  )
}
