import '@/styles/complaints.css'
import { type ChangeEvent, useId, useState } from 'react'
import { serverText } from '@/api/server-text'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import {
  isAboutProducts,
  MAX_PHOTOS,
  MAX_TEXT,
  openComplaint,
  REASONS,
  REMEDIES,
  type Reason,
  type Remedy,
} from '@/features/complaints/api'
import { FilePreview } from '@/features/media/file-preview'
import { PICTURE_TYPES, pictureProblem } from '@/features/media/picture-problem'
import type { Order } from '@/features/orders/api'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Dialog } from '@/ui/dialog'
import { LongField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { CameraIcon } from '@/ui/icons-forms'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const PROBLEM = { refused: 'complaints.sendFailed', broken: 'complaints.sendFailed' } as const

/** Reports a problem with an order: what is wrong, with which products, what the shopper would like, and photos. */
export function ComplaintForm({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useT()
  const [reason, setReason] = useState<Reason>('damaged')
  const [remedy, setRemedy] = useState<Remedy>('refund')
  const [quantities, setQuantities] = useState<Record<string, number>>({})
  const [photos, setPhotos] = useState<File[]>([])
  const items = Object.entries(quantities).map(([product, quantity]) => ({ product, quantity }))
  const form = useForm({
    id: 'complaint',
    check: (read) => ({
      items: isAboutProducts(reason) && items.length === 0 ? 'complaints.itemsNeeded' : undefined,
      text: read('text').trim() === '' ? 'complaints.textNeeded' : undefined,
    }),
    onError: (error) => (handleSessionEnded(error) ? undefined : failure(serverText(error, PROBLEM))),
  })
  return (
    <Dialog id="complaint" variant="form" title={t('complaints.add')} onClose={onClose}>
      <form
        className="form complaint-form"
        {...form.bind(async (read, onProgress) => {
          await openComplaint(
            { order: order._id, reason, remedy, text: read('text').trim(), items, photos },
            onProgress,
          )
          onClose()
          toast.success('complaints.opened')
        })}
      >
        <Choice
          legend={t('complaints.reason')}
          name="reason"
          options={REASONS}
          message={(option) => `complaints.reason.${option}`}
          chosen={reason}
          onChoose={(option) => {
            setReason(option)
            form.clearErrors('items')
          }}
        />
        {isAboutProducts(reason) ? (
          <Items
            order={order}
            quantities={quantities}
            error={form.error('items')}
            onChange={(next) => {
              setQuantities(next)
              form.clearErrors('items')
            }}
          />
        ) : null}
        <LongField label={t('complaints.text')} rows={4} maxLength={MAX_TEXT} {...form.field('text')} />
        <Photos photos={photos} onChange={setPhotos} />
        {form.progress === undefined || photos.length === 0 ? null : (
          <progress className="upload" value={form.progress} max={1} aria-label={t('photo.progress')} />
        )}
        <Choice
          legend={t('complaints.remedy')}
          name="remedy"
          options={REMEDIES}
          message={(option) => `complaints.remedy.${option}`}
          chosen={remedy}
          onChoose={setRemedy}
        />
        <p className="muted">
          {t('complaints.deadline')}{' '}
          <a className="link" href={paths.returns} target="_blank" rel="noopener">
            {t('complaints.rules')}
          </a>
        </p>
        <FormProblem problem={form.problem} announced={false} />
        <SubmitButton busy={form.busy} wide>
          {t('complaints.send')}
        </SubmitButton>
      </form>
    </Dialog>
  )
}

type ChoiceProps<Option extends string> = {
  legend: string
  name: string
  options: readonly Option[]
  message: (option: Option) => MessageId
  chosen: Option
  onChoose: (option: Option) => void
}

function Choice<Option extends string>({
  legend,
  name,
  options,
  message,
  chosen,
  onChoose,
}: ChoiceProps<Option>) {
  const t = useT()
  return (
    <fieldset className="complaint-choice">
      <legend>{legend}</legend>
      <div className="complaint-options">
        {options.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name={name}
              value={option}
              checked={chosen === option}
              onChange={() => onChoose(option)}
            />
            {t(message(option))}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type ItemsProps = {
  order: Order
  quantities: Record<string, number>
  error: string | undefined
  onChange: (quantities: Record<string, number>) => void
}

function Items({ order, quantities, error, onChange }: ItemsProps) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const set = (product: string, quantity: number) => {
    const { [product]: _, ...others } = quantities
    onChange(quantity > 0 ? { ...others, [product]: quantity } : others)
  }
  return (
    <fieldset className="complaint-choice" aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{t('complaints.items')}</legend>
      {error ? (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      ) : null}
      <ul className="complaint-lines">
        {order.items.map((item) => {
          const name = localText(item, 'name', lang)
          const chosen = quantities[item._id] ?? 0
          return (
            <li key={item._id}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen > 0}
                  aria-invalid={error ? true : undefined}
                  onChange={({ target }) => set(item._id, target.checked ? item.quantity : 0)}
                />
                <span translate="no">{name}</span>
              </label>
              {chosen > 0 && item.quantity > 1 ? (
                <select
                  className="input"
                  aria-label={t('complaints.howMany', { name })}
                  value={chosen}
                  onChange={({ target }) => set(item._id, Number(target.value))}
                >
                  {Array.from({ length: item.quantity }, (_, index) => index + 1).map((count) => (
                    <option key={count} value={count}>
                      {formatNumber(count, lang)}
                    </option>
                  ))}
                </select>
              ) : null}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

function Photos({ photos, onChange }: { photos: File[]; onChange: (photos: File[]) => void }) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const [problem, setProblem] = useState<MessageId | null>(null)
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(target.files ?? [])]
    target.value = ''
    const found = chosen.map(pictureProblem).find(Boolean)
    setProblem(found ? `photo.${found}` : null)
    const usable = chosen.filter((file) => !pictureProblem(file))
    onChange([...photos, ...usable].slice(0, MAX_PHOTOS))
  }
  return (
    <div className="field">
      <label htmlFor={id}>
        {t('complaints.photos')} <span className="field-mark">({t('form.optional')})</span>
      </label>
      <p id={`${id}-hint`} className="field-hint">
        {t('complaints.photosHint')}
      </p>
      {problem ? (
        <p id={`${id}-error`} className="field-error" role="alert">
          {t(problem)}
        </p>
      ) : null}
      {photos.length > 0 ? (
        <ul className="complaint-photos">
          {photos.map((photo, index) => (
            <li key={`${photo.name} ${photo.size} ${photo.lastModified}`}>
              <FilePreview
                file={photo}
                alt={t('complaints.photo', { n: formatNumber(index + 1, lang) })}
                className="complaint-photo"
              />
              <button
                type="button"
                className="link"
                aria-label={t('complaints.removePhoto', { n: formatNumber(index + 1, lang) })}
                onClick={() => onChange(photos.filter((each) => each !== photo))}
              >
                {t('photo.remove')}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {photos.length < MAX_PHOTOS ? (
        <span className="button button-outline photo-pick">
          <CameraIcon />
          {t('complaints.addPhoto')}
          <input
            id={id}
            type="file"
            multiple
            accept={PICTURE_TYPES.join(',')}
            aria-describedby={`${id}-hint${problem ? ` ${id}-error` : ''}`}
            onChange={pick}
          />
        </span>
      ) : null}
    </div>
  )
}
