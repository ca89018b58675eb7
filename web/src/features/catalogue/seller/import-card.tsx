import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { errorText } from '@/features/catalogue/seller/error-text'
import {
  type Import,
  importApi,
  isWorking,
  refetchRecentImports,
} from '@/features/catalogue/seller/import-api'
import { ImportPictures } from '@/features/catalogue/seller/import-pictures'
import { ImportRows } from '@/features/catalogue/seller/import-rows'
import { formatDateTime } from '@/lib/dates-time'
import { messageText, useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { useOnline } from '@/lib/use-online'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { FormProblem } from '@/ui/form-problem'
import { failure, useForm } from '@/ui/use-form'

/** One imported file: its state, its changes, and the buttons to apply or cancel it. */
export function ImportCard({ productImport, again }: { productImport: Import; again: ReactNode }) {
  const t = useT()
  const lang = useLang()
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(productImport.state)
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    if (before.current !== productImport.state) refetchRecentImports()
    before.current = productImport.state
  }, [productImport.state])
  const hasRows = ['checked', 'applying', 'applied', 'failed'].includes(productImport.state)
  return (
    <section
      className="import"
      aria-labelledby="import-file"
      data-testid="import"
      data-state={productImport.state}
    >
      <div className="import-head">
        <h2 id="import-file" ref={heading} tabIndex={-1} translate="no">
          {productImport.fileName}
        </h2>
        <StateBadge state={productImport.state} />
        <p className="muted" data-verbatim={productImport.by}>
          {t('seller.imports.startedBy', {
            by: productImport.by,
            when: formatDateTime(productImport.createdAt, lang),
          })}
        </p>
      </div>
      <ImportMessage productImport={productImport} />
      {isWorking(productImport.state) ? <ImportProgress productImport={productImport} /> : null}
      <ImportActions productImport={productImport} again={again} />
      {hasRows && productImport.pictures > 0 ? <ImportPictures id={productImport._id} /> : null}
      {hasRows ? <ImportRows productImport={productImport} /> : null}
    </section>
  )
}

export function StateBadge({ state }: { state: Import['state'] }) {
  const t = useT()
  return (
    <span className="badge import-badge" data-state={state}>
      {t(`seller.imports.state.${state}`)}
    </span>
  )
}

function ImportMessage({ productImport }: { productImport: Import }) {
  const t = useT()
  const { add, update, error } = productImport.counts
  const text =
    productImport.state !== 'checked'
      ? t(`seller.imports.message.${productImport.state}`)
      : error > 0
        ? t('seller.imports.message.errors', { n: error })
        : add + update === 0
          ? t('seller.imports.message.same')
          : t('seller.imports.message.checked')
  const bad =
    productImport.state === 'refused' ||
    productImport.state === 'failed' ||
    (productImport.state === 'checked' && error > 0)
  return (
    <div role="status">
      <p id="import-said" className={bad ? 'form-problem' : undefined}>
        {productImport.message ? `${productImport.message} ` : ''}
        {text}
      </p>
    </div>
  )
}

function ImportProgress({ productImport }: { productImport: Import }) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const known = productImport.total > 0
  // The images of a zip file are processed before its rows.
  const zip = productImport.pictures > 0
  return (
    <div className="import-progress">
      <progress
        id={id}
        className="upload"
        aria-label={t(zip ? 'seller.imports.progressZipBar' : 'seller.imports.progressBar')}
        {...(known ? { value: productImport.done, max: productImport.total } : {})}
      />
      {known ? (
        <label htmlFor={id} className="muted">
          {t(zip ? 'seller.imports.progressZip' : 'seller.imports.progress', {
            done: formatNumber(productImport.done, lang),
            total: formatNumber(productImport.total, lang),
          })}
        </label>
      ) : null}
    </div>
  )
}

function ImportActions({ productImport, again }: { productImport: Import; again: ReactNode }) {
  const t = useT()
  const lang = useLang()
  const online = useOnline()
  const [asking, setAsking] = useState(false)
  const { busy, problem, send, reset } = useForm({ onError: (reason) => failure(errorText(reason)) })
  const { add, update, error } = productImport.counts
  const pending = productImport.state === 'checked' || isWorking(productImport.state)
  const act = (work: (id: string) => Promise<unknown>) =>
    send(async () => {
      await work(productImport._id)
      setAsking(false)
    })
  return (
    <>
      <div className="button-row">
        {productImport.state === 'checked' ? (
          <button
            type="button"
            className="button button-primary"
            disabled={!online || busy || error > 0 || add + update === 0}
            aria-describedby="import-said"
            onClick={() => setAsking(true)}
          >
            {t('seller.imports.apply')}
          </button>
        ) : null}
        {pending ? (
          <button
            type="button"
            className="button button-outline"
            disabled={!online || busy}
            onClick={() => act(importApi.cancel)}
          >
            {t('seller.imports.cancel')}
          </button>
        ) : null}
        {productImport.state === 'applying' ? null : again}
      </div>
      {asking ? null : <FormProblem problem={problem} />}
      {asking ? (
        <ConfirmDialog
          id="apply-import"
          title={t('seller.imports.applyTitle')}
          text={t('seller.imports.applyText', {
            add: formatNumber(add, lang),
            update: formatNumber(update, lang),
          })}
          confirm={t('seller.imports.apply')}
          busy={busy}
          problem={problem ? messageText(problem) : undefined}
          onConfirm={() => act(importApi.apply)}
          onCancel={() => {
            setAsking(false)
            reset()
          }}
        />
      ) : null}
    </>
  )
}
