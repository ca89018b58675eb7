import { useQuery } from '@tanstack/react-query'
import { errorField, errorText } from '@/features/catalogue/seller/error-text'
import { isPrice } from '@/features/catalogue/seller/number-format'
import { regularPrice, type SellerProduct } from '@/features/catalogue/seller/products-api'
import { type Sale, salesApi, salesOf } from '@/features/catalogue/seller/sales-api'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { formatMoney, toPaisa } from '@/lib/money'
import { Dialog } from '@/ui/dialog'
import { TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { latinDigitsRef } from '@/ui/latin-digits-ref'
import { LoadState } from '@/ui/load-state'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { type ReadField, useForm } from '@/ui/use-form'

type SaleDialogProps = {
  product: SellerProduct
  /** Called with the product at its present price. */
  onChange: (product: SellerProduct) => void
  onClose: () => void
}

type Name = 'price' | 'startsAt' | 'endsAt'
const NAMES: readonly Name[] = ['price', 'startsAt', 'endsAt']
const ID = 'sale'

/** The sales of a product, and a form for another one. */
export function SaleDialog({ product, onChange, onClose }: SaleDialogProps) {
  const t = useT()
  const lang = useLang()
  const sales = useQuery(salesOf(product.slug))
  const form = useForm<Name>({
    id: ID,
    names: NAMES,
    check: (read) => checkSale(read, regularPrice(product)),
    onError: (error) => {
      const said = errorText(error)
      const field = NAMES.find((name) => name === errorField(error))
      return { toast: said, ...(field ? { errors: { [field]: said } } : { problem: said }) }
    },
  })
  const add = form.bind(async (read) => {
    const startsAt = read('startsAt')
    const input = { price: Number(latinDigits(read('price'))), endsAt: toMoment(read('endsAt')) }
    onChange(
      await salesApi.add(product.slug, { ...input, ...(startsAt ? { startsAt: toMoment(startsAt) } : {}) }),
    )
    form.ref.current?.reset()
    toast.success('seller.sales.added')
  })
  const end = (sale: Sale) =>
    form.send(async () => {
      onChange(await salesApi.end(product.slug, sale._id))
      toast.success('seller.sales.ended')
    }, {})
  return (
    <Dialog id="sales" variant="form" title={t('seller.sales.title')} onClose={onClose}>
      <LoadState
        query={sales}
        problem="seller.products.loadProblem"
        skeleton={<p className="skeleton">&nbsp;</p>}
      >
        {(list) =>
          list.length === 0 ? (
            <p className="muted">{t('seller.sales.none')}</p>
          ) : (
            <ul className="sale-list">
              {list.map((sale) => (
                <SaleItem key={sale._id} sale={sale} busy={form.busy} onEnd={() => end(sale)} />
              ))}
            </ul>
          )
        }
      </LoadState>
      <form className="form" {...add}>
        <TextField
          {...form.field('price')}
          ref={latinDigitsRef}
          label={t('seller.sales.price')}
          hint={t('seller.sales.priceHint', { price: money(regularPrice(product), lang) })}
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <TextField
          {...form.field('startsAt')}
          label={t('seller.sales.from')}
          hint={t('seller.sales.fromHint')}
          type="datetime-local"
        />
        <TextField
          {...form.field('endsAt')}
          label={t('seller.sales.until')}
          hint={t('seller.sales.untilHint')}
          type="datetime-local"
          required
        />
        <p className="muted">{t('seller.sales.note')}</p>
        <FormProblem problem={form.problem} />
        <SubmitButton busy={form.busy} wide>
          {t('seller.sales.add')}
        </SubmitButton>
      </form>
    </Dialog>
  )
}

const STATES = {
  planned: 'seller.sales.state.planned',
  running: 'seller.sales.state.running',
  ended: 'seller.sales.state.ended',
  cancelled: 'seller.sales.state.cancelled',
  skipped: 'seller.sales.state.skipped',
} satisfies Record<Sale['state'], MessageId>

function SaleItem({ sale, busy, onEnd }: { sale: Sale; busy: boolean; onEnd: () => void }) {
  const t = useT()
  const lang = useLang()
  const { price, wasPrice, state } = sale
  const until = formatDateTime(sale.endedAt ?? sale.endsAt, lang)
  const open = state === 'running' || state === 'planned'
  return (
    <li>
      <span className={`badge${state === 'running' ? ' badge-sale' : ''}`}>{t(STATES[state])}</span>
      <p>
        {wasPrice
          ? t('seller.sales.running', { price: money(price, lang), was: money(wasPrice, lang), until })
          : t('seller.sales.planned', {
              price: money(price, lang),
              from: formatDateTime(sale.startsAt, lang),
              until: formatDateTime(sale.endsAt, lang),
            })}
      </p>
      {open ? (
        <button type="button" className="button button-outline" aria-busy={busy} onClick={onEnd}>
          {t(state === 'running' ? 'seller.sales.end' : 'seller.sales.cancel')}
        </button>
      ) : null}
    </li>
  )
}

const money = (rupees: number, lang: Parameters<typeof formatMoney>[1]) =>
  formatMoney(toPaisa(rupees), lang, 'auto')

function checkSale(read: ReadField, regular: number) {
  const price = latinDigits(read('price')).trim()
  const lower = isPrice(price) && Number(price) > 0 && Number(price) < regular
  return {
    price: lower ? undefined : ('seller.sales.err.price' as const),
    endsAt: read('endsAt') ? undefined : ('seller.sales.err.until' as const),
  }
}

/** A time of day as it is entered, which is that of Nepal wherever the seller is. */
const toMoment = (entered: string) => new Date(`${entered}+05:45`).toISOString()
