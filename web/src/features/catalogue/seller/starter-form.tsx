import '@/styles/forms.css'
import '@/styles/seller-starter.css'
import { type FormEvent, useId, useState } from 'react'
import { queryClient } from '@/api/query-client'
import { categoriesApi, sellerCategories } from '@/features/catalogue/seller/categories-api'
import { errorText } from '@/features/catalogue/seller/error-text'
import { type Import, importApi } from '@/features/catalogue/seller/import-api'
import { isPrice, isWholeNumber } from '@/features/catalogue/seller/number-format'
import {
  categoryPicture,
  findStarterProducts,
  missingCategories,
  type StarterLine,
  type StarterProduct,
  starterFile,
} from '@/features/catalogue/seller/starter-catalogue'
import { useMay } from '@/features/staff/permissions'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import type { Lang } from '@/lib/first-data'
import { messageText, useLang, useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { useOnline } from '@/lib/use-online'
import { CloseIcon } from '@/ui/icons'
import { SearchField } from '@/ui/search-field'
import { useBusy } from '@/ui/use-busy'

const SHOWN = 8

const nameOf = (product: StarterProduct, lang: Lang) => (lang === 'ne' ? product.nameNe : product.name)
const packOf = ({ unit }: StarterProduct, lang: Lang) => (lang === 'ne' ? unit.labelNe : unit.label)

/** Common groceries, of which the seller ticks what the shop sells and fills in price and stock. */
export function StarterForm({ onSent }: { onSent: (sent: Import) => void }) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const may = useMay()
  const online = useOnline()
  const [busy, run] = useBusy()
  const [text, setText] = useState('')
  const [lines, setLines] = useState<StarterLine[]>([])
  const [isChecked, setChecked] = useState(false)
  const [problem, setProblem] = useState('')
  const found = findStarterProducts(text)

  const isChosen = (product: StarterProduct) => lines.some((line) => line.product === product)
  const toggle = (product: StarterProduct) =>
    setLines(
      isChosen(product)
        ? lines.filter((line) => line.product !== product)
        : [...lines, { product, price: '', stock: '' }],
    )
  const change = (product: StarterProduct, changes: Partial<StarterLine>) =>
    setLines(lines.map((line) => (line.product === product ? { ...line, ...changes } : line)))

  const send = async () => {
    setProblem('')
    try {
      const existing = await queryClient.fetchQuery({ ...sellerCategories(), meta: {} })
      for (const category of may('categories.edit') ? missingCategories(lines, existing) : []) {
        const { name, nameNe, description, descriptionNe } = category
        const picture = await categoryPicture(category)
        await categoriesApi.add(
          { name, nameNe, description, descriptionNe },
          { image: picture, icon: picture },
        )
      }
      onSent(await importApi.send(starterFile(lines), () => {}))
    } catch (error) {
      handleSellerSessionEnded(error)
      setProblem(messageText(errorText(error)))
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setChecked(true)
    if (lines.every(({ price, stock }) => isPrice(price) && isWholeNumber(stock))) void run(send)
    else {
      const form = event.currentTarget
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    }
  }

  return (
    <section className="starter box" aria-labelledby={`${id}-title`} data-testid="starter">
      <h2 id={`${id}-title`}>{t('seller.starter.title')}</h2>
      <p className="muted">{t('seller.starter.text')}</p>
      <SearchField
        label={t('seller.starter.search')}
        hint={t('seller.starter.searchHint')}
        text={text}
        onChange={setText}
      />
      <p className="muted" role="status">
        {t('seller.starter.found', { n: found.length })}
      </p>
      <ul className="starter-found">
        {found.slice(0, SHOWN).map((product) => (
          <li key={product.slug}>
            <label className="checkbox-label">
              <input type="checkbox" checked={isChosen(product)} onChange={() => toggle(product)} />
              <span>
                {nameOf(product, lang)} <span className="muted">{packOf(product, lang)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {lines.length > 0 ? (
        <form className="form" noValidate onSubmit={submit} aria-busy={busy}>
          <h3>{t('seller.starter.chosen', { n: lines.length })}</h3>
          <ul className="starter-lines">
            {lines.map(({ product, price, stock }) => {
              const name = nameOf(product, lang)
              const cell = (field: 'price' | 'stock', value: string, isValid: boolean) => (
                <NumberCell
                  label={t(`seller.starter.${field}`)}
                  name={name}
                  value={value}
                  isInvalid={isChecked && !isValid}
                  onChange={(next) => change(product, { [field]: next })}
                />
              )
              return (
                <li key={product.slug}>
                  <span>
                    {name} <span className="muted">{packOf(product, lang)}</span>
                  </span>
                  {cell('price', price, isPrice(price))}
                  {cell('stock', stock, isWholeNumber(stock))}
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t('seller.starter.remove', { name })}
                    onClick={() => toggle(product)}
                  >
                    <CloseIcon />
                  </button>
                </li>
              )
            })}
          </ul>
          {isChecked && lines.some(({ price, stock }) => !isPrice(price) || !isWholeNumber(stock)) ? (
            <p className="field-error">{t('seller.starter.numbersNeeded')}</p>
          ) : null}
          {problem ? (
            <p className="field-error" role="alert">
              {problem}
            </p>
          ) : null}
          <button type="submit" className="button button-primary" disabled={busy || !online}>
            {busy ? <span className="spinner" /> : null}
            {t('seller.starter.check', { n: lines.length })}
          </button>
        </form>
      ) : null}
    </section>
  )
}

type NumberCellProps = {
  label: string
  name: string
  value: string
  isInvalid: boolean
  onChange: (value: string) => void
}

function NumberCell({ label, name, value, isInvalid, onChange }: NumberCellProps) {
  return (
    <label>
      {label}
      <input
        className="input"
        inputMode="decimal"
        autoComplete="off"
        aria-label={`${label}: ${name}`}
        aria-invalid={isInvalid ? true : undefined}
        value={value}
        onChange={(event) => onChange(latinDigits(event.target.value))}
      />
    </label>
  )
}
