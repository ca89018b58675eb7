import { type ReactNode, useRef } from 'react'
import { DropField } from '@/features/media/drop-field'
import { FilePreview } from '@/features/media/file-preview'
import type { PhotoChoice } from '@/features/media/photo-field'
import { PICTURE_TYPES, pictureProblem } from '@/features/media/picture-problem'
import { useT } from '@/lib/i18n'
import { CameraIcon } from '@/ui/icons-forms'

type PictureFieldProps = {
  id?: string
  label: string
  hint: string
  mark?: 'required' | 'optional'
  /** The text beside the button that mentions dropping a file. */
  drop: string
  previewAlt: string
  choice: PhotoChoice
  /** An unsuitable file is rejected; `problem` says why. */
  onChoice: (choice: PhotoChoice, problem: 'type' | 'size' | null) => void
  error?: string | undefined
  /** What is shown while nothing is chosen; nothing if there is no picture yet. */
  now?: ReactNode
  hasPicture?: boolean
  /** Whether the picture may be removed. */
  removable?: boolean
  progress?: number | undefined
}

/** A field for one picture, which is chosen with the button or dropped onto the field. */
export function PictureField(props: PictureFieldProps) {
  const { id, label, hint, mark, drop, previewAlt, choice, onChoice, error, now, progress } = props
  const { hasPicture = false, removable = true } = props
  const t = useT()
  const picker = useRef<HTMLInputElement>(null)
  const chosen = choice instanceof File ? choice : null
  const stays = hasPicture && choice !== 'remove'

  const empty = () => {
    if (picker.current) picker.current.value = ''
  }
  const pick = (file: File | undefined) => {
    if (!file) return
    const problem = pictureProblem(file)
    if (problem) empty()
    onChoice(problem ? null : file, problem)
  }
  const remove = () => {
    empty()
    onChoice(hasPicture && !chosen ? 'remove' : null, null)
    picker.current?.focus()
  }

  return (
    <DropField
      id={id}
      label={label}
      hint={hint}
      mark={mark}
      error={error}
      picker={picker}
      accept={PICTURE_TYPES.join(',')}
      onFile={pick}
      below={
        progress === undefined || !chosen ? null : (
          <progress
            className="upload"
            value={progress}
            max={1}
            aria-label={t('seller.products.imageProgress')}
          />
        )
      }
    >
      {(input) => (
        <>
          {chosen ? (
            <FilePreview file={chosen} alt={previewAlt} className="picture-now" />
          ) : now && choice !== 'remove' ? (
            <span className="picture-now">{now}</span>
          ) : null}
          <div className="photo-buttons">
            {/* The real input covers the button: it opens the picker and can be focused. */}
            <span className="button button-outline photo-pick">
              <CameraIcon />
              {t(chosen || stays ? 'seller.products.imageChange' : 'seller.products.imageChoose')}
              <input {...input} />
            </span>
            {chosen || (stays && removable) ? (
              <button type="button" className="button button-plain" onClick={remove}>
                {t('seller.products.imageRemove')}
              </button>
            ) : null}
            <span className="picture-drop-hint">{drop}</span>
          </div>
        </>
      )}
    </DropField>
  )
}
