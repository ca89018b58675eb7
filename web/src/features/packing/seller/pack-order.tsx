import { useEffect, useRef, useState } from 'react'
import { serverText } from '@/api/server-text'
import { ItemPicture } from '@/features/catalogue/item-picture'
import { choiceMessage } from '@/features/orders/order-notes-store'
import { LineDialog } from '@/features/packing/seller/line-dialog'
import type { PackingOrder } from '@/features/packing/seller/order-to-pack'
import { askQuestion, finishPacking, type PackingLine } from '@/features/packing/seller/packing-api'
import {
  type Draft,
  isDearer,
  isDone,
  type LineDraft,
  loadDraft,
  scanLine,
  storeDraft,
  toggleLine,
  toReport,
  weighLine,
} from '@/features/packing/seller/packing-draft'
import { useScanner } from '@/features/packing/seller/use-scanner'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useLang, useT } from '@/lib/i18n'
import { parseWholeNumber } from '@/lib/latin-digits'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { formatPhone, toDialledPhone } from '@/lib/phone'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const PROBLEM = { refused: 'seller.packing.finishFailed', broken: 'seller.packing.finishFailed' } as const

type PackOrderProps = { order: PackingOrder; onDone: () => void }

/** One order: every line is ticked by a tap or a scan, and one more tap finishes the order. */
export function PackOrder({ order, onDone }: PackOrderProps) {
  const t = useT()
  const lang = useLang()
  const [draft, setDraft] = useState<Draft>(() => loadDraft(order._id))
  const [history, setHistory] = useState<Draft[]>([])
  const [editing, setEditing] = useState<PackingLine | null>(null)
  const [phoneName, setPhoneName] = useState('')
  const [busy, run] = useBusy()
  useEffect(() => storeDraft(order._id, draft), [order._id, draft])
  const change = (next: Draft) => {
    setHistory((all) => [...all, draft])
    setDraft(next)
  }
  const undo = () => {
    const before = history.at(-1)
    if (!before) return
    setHistory(history.slice(0, -1))
    setDraft(before)
  }
  useScanner((barcode) => {
    const next = scanLine(order.lines, draft, barcode)
    if (next) change(next)
    else toast.error('seller.packing.notInOrder')
  })
  const done = order.lines.filter((line) => isDone(line, draft)).length
  const isComplete = done === order.lines.length
  const isCash = order.paymentMethod === 'COD'
  const dearer = isCash && isComplete && isDearer(order.lines, draft)
  const accepted = order.question?.accepted ?? null
  const finish = () =>
    run(async () => {
      const name = phoneName.trim()
      try {
        await finishPacking({
          ...toReport(order._id, order.lines, draft),
          ...(dearer && name ? { agreedOnPhoneWith: name } : {}),
        })
        storeDraft(order._id, {})
        toast.success('seller.packing.finished')
        onDone()
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, PROBLEM))
      }
    })
  const ask = () =>
    run(async () => {
      try {
        await askQuestion(toReport(order._id, order.lines, draft))
        toast.success('seller.packing.asked')
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, PROBLEM))
      }
    })
  return (
    <div className="packing-order">
      <OrderFacts order={order} />
      <p className="packing-progress" role="status">
        {t('seller.packing.progress', {
          done: formatNumber(done, lang),
          lines: formatNumber(order.lines.length, lang),
        })}
      </p>
      <ul className="packing-lines">
        {order.lines.map((line, index) => (
          <Line
            key={line.product}
            line={line}
            said={draft[line.product]}
            done={isDone(line, draft)}
            choice={line.ifUnavailable ?? order.ifUnavailable}
            heading={line.category !== order.lines[index - 1]?.category}
            onToggle={() => change(toggleLine(line, draft))}
            onWeigh={(grams) => setDraft(weighLine(line, draft, grams))}
            onEdit={() => setEditing(line)}
          />
        ))}
      </ul>
      {dearer ? (
        <section className="box packing-dearer">
          <h2>{t('seller.packing.dearer')}</h2>
          <p>
            {t(
              accepted === true
                ? 'seller.packing.acceptedText'
                : accepted === false
                  ? 'seller.packing.declinedText'
                  : order.question
                    ? 'seller.packing.waitingText'
                    : 'seller.packing.dearerText',
            )}
          </p>
          {accepted === null ? (
            <>
              <label className="field">
                <span>{t('seller.packing.phoneName')}</span>
                <input
                  className="input"
                  value={phoneName}
                  maxLength={100}
                  onChange={({ target }) => setPhoneName(target.value)}
                />
              </label>
              <div className="button-row">
                <a className="button button-outline" href={`tel:${toDialledPhone(order.phone)}`}>
                  {t('seller.packing.call')} <span translate="no">{formatPhone(order.phone)}</span>
                </a>
                <button
                  type="button"
                  className="button button-outline"
                  disabled={busy}
                  onClick={() => void ask()}
                >
                  {t('seller.packing.ask')}
                </button>
              </div>
            </>
          ) : null}
        </section>
      ) : null}
      <div className="packing-actions">
        <button
          type="button"
          className="button button-outline"
          disabled={history.length === 0 || busy}
          onClick={undo}
        >
          {t('seller.packing.undo')}
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={!isComplete || busy}
          onClick={() => void finish()}
        >
          {t('seller.packing.finish')}
        </button>
      </div>
      {editing ? (
        <LineDialog
          line={editing}
          said={draft[editing.product]}
          onClose={() => setEditing(null)}
          onSave={(said) => {
            change({ ...draft, [editing.product]: said })
            setEditing(null)
          }}
        />
      ) : null}
    </div>
  )
}

function OrderFacts({ order }: { order: PackingOrder }) {
  const t = useT()
  const choice = choiceMessage(order.ifUnavailable)
  return (
    <dl className="packing-facts">
      <div>
        <dt>{t('seller.packing.customer')}</dt>
        <dd translate="no">{order.customer}</dd>
      </div>
      {order.noteShop ? (
        <div>
          <dt>{t('orders.noteShop')}</dt>
          <dd className="packing-note" translate="no">
            {order.noteShop}
          </dd>
        </div>
      ) : null}
      {choice ? (
        <div>
          <dt>{t('ifUnavailable.title')}</dt>
          <dd>{t(choice)}</dd>
        </div>
      ) : null}
    </dl>
  )
}

type LineProps = {
  line: PackingLine
  said: LineDraft | undefined
  done: boolean
  choice: string | null | undefined
  heading: boolean
  onToggle: () => void
  onWeigh: (grams: number) => void
  onEdit: () => void
}

function Line({ line, said, done, choice, heading, onToggle, onWeigh, onEdit }: LineProps) {
  const t = useT()
  const lang = useLang()
  const name = localText(line, 'name', lang)
  const pack = localText(line, 'packLabel', lang)
  const category = localText(line, 'category', lang)
  const substitution = choiceMessage(choice)
  const weighed = useRef<HTMLInputElement>(null)
  const expected = (line.stepGrams ?? 0) * (said?.packed ?? line.quantity)
  const other = said?.replacement ? localText(said.replacement, 'name', lang) : ''
  return (
    <li>
      {heading && category ? (
        <h2 className="packing-category" lang={scriptLang(category, lang)} translate="no">
          {category}
        </h2>
      ) : null}
      <div className="packing-line" data-done={done ? true : undefined}>
        <button
          type="button"
          className="packing-tick"
          aria-pressed={done}
          data-testid="packing-line"
          onClick={line.stepGrams ? () => weighed.current?.focus() : onToggle}
        >
          <ItemPicture item={{ ...line, _id: line.product }} />
          <span className="packing-name">
            <span lang={scriptLang(name, lang)} translate="no">
              {name}
            </span>
            {pack ? (
              <span className="muted" lang={scriptLang(pack, lang)} translate="no">
                {pack}
              </span>
            ) : null}
            {said && said.packed < line.quantity ? (
              <span className="packing-said">
                {t('packing.count', {
                  packed: formatNumber(said.packed, lang),
                  ordered: formatNumber(line.quantity, lang),
                })}
                {said.replacement ? ` + ${formatNumber(said.replacement.quantity, lang)} × ${other}` : ''}
              </span>
            ) : substitution && !said ? (
              <span className="muted">{t('ifUnavailable.item', { choice: t(substitution) })}</span>
            ) : null}
          </span>
          <strong className="packing-quantity">{formatNumber(line.quantity, lang)}</strong>
        </button>
        {line.stepGrams ? (
          <span className="packing-weight">
            <input
              ref={weighed}
              aria-label={t('seller.packing.grams', { name })}
              className="input"
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              placeholder={formatNumber(expected, lang)}
              value={said?.grams ?? ''}
              onChange={({ target }) => onWeigh(parseWholeNumber(target.value) || 0)}
            />
            <span aria-hidden="true">{t('seller.packing.gramsUnit')}</span>
          </span>
        ) : null}
        <button type="button" className="button button-outline packing-edit" onClick={onEdit}>
          {t('seller.packing.problem')}
          <span className="sr-only">: {name}</span>
        </button>
      </div>
    </li>
  )
}
