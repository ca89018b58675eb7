import { type ReactNode, useId, useRef, useState } from 'react'
import { FilePreview } from '@/features/media/file-preview'
import { PICTURE_TYPES, pictureProblem } from '@/features/media/picture-problem'
import { type MessageId, useT } from '@/lib/i18n'
import { CameraIcon } from '@/ui/icons-forms'

/** The chosen photo, the removal of the current one, or no change. */
export type PhotoChoice = File | 'remove' | null

function photoProblem(file: File): MessageId | null {
  const problem = pictureProblem(file)
  return problem && `photo.${problem}`
}

type PhotoFieldProps = {
  label: string
  choice: PhotoChoice
  onChoice: (choice: PhotoChoice) => void
  /** The current photo, or a drawing if there is none. */
  now: ReactNode
  hasPhoto?: boolean
  /** The upload progress, from 0 to 1. */
  progress?: number | undefined
}

export function PhotoField({ label, choice, onChoice, now, hasPhoto = false, progress }: PhotoFieldProps) {
  const t = useT()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<MessageId | null>(null)
  const chosen = choice instanceof File ? choice : null
  const shown = Boolean(chosen) || (hasPhoto && choice !== 'remove')

  const pick = (file: File | undefined) => {
    if (!file) return
    const found = photoProblem(file)
    setProblem(found)
    onChoice(found ? null : file)
    if (found && picker.current) picker.current.value = ''
  }
  const remove = () => {
    setProblem(null)
    if (picker.current) picker.current.value = ''
    onChoice(hasPhoto && !chosen ? 'remove' : null)
    picker.current?.focus()
  }

  return (
    <div className="field photo-field">
      <label htmlFor={id}>
        {label} <span className="field-mark">({t('form.optional')})</span>
      </label>
      <p id={`${id}-hint`} className="field-hint">
        {t('photo.hint')}
      </p>
      {problem ? (
        <p id={`${id}-error`} className="field-error" role="alert">
          {t(problem)}
        </p>
      ) : null}
      <div className="photo-row">
        {chosen ? (
          <FilePreview file={chosen} alt={t('photo.preview')} className="avatar avatar-big" />
        ) : choice === 'remove' ? (
          <span className="avatar avatar-big" />
        ) : (
          now
        )}
        <div className="photo-buttons">
          {/* The real input covers the button: it opens the picker, takes a dropped file and can be focused. */}
          <span className="button button-outline photo-pick">
            <CameraIcon />
            {t(shown ? 'photo.change' : 'photo.choose')}
            <input
              ref={picker}
              id={id}
              type="file"
              accept={PICTURE_TYPES.join(',')}
              aria-describedby={`${id}-hint${problem ? ` ${id}-error` : ''}`}
              aria-invalid={problem ? true : undefined}
              onChange={(event) => pick(event.target.files?.[0])}
            />
          </span>
          {shown ? (
            <button type="button" className="button button-plain" onClick={remove}>
              {t('photo.remove')}
            </button>
          ) : null}
        </div>
      </div>
      {progress === undefined || !chosen ? null : (
        <progress className="upload" value={progress} max={1} aria-label={t('photo.progress')} />
      )}
    </div>
  )
}
