import { type ComponentProps, type ReactNode, type RefObject, useState } from 'react'
import { Field } from '@/ui/field'

type DropFieldProps = {
  id?: string | undefined
  label: string
  hint: string
  mark?: 'required' | 'optional' | undefined
  error?: string | undefined
  className?: string
  picker: RefObject<HTMLInputElement | null>
  accept: string
  disabled?: boolean
  /** Several files may be chosen at once; `onFile` is called with each. */
  multiple?: boolean
  onFile: (file: File | undefined) => void
  /** Draws the content of the field around the real input. */
  children: (input: ComponentProps<'input'>) => ReactNode
  /** The upload progress, below the field. */
  below: ReactNode
}

/** A field for files, which are chosen with the button or dropped onto the field. */
export function DropField(props: DropFieldProps) {
  const {
    id,
    label,
    hint,
    mark,
    error,
    className = '',
    picker,
    accept,
    disabled,
    multiple = false,
    onFile,
    children,
    below,
  } = props
  const [over, setOver] = useState(false)
  const take = (files: FileList | null) => {
    for (const file of [...(files ?? [])].slice(0, multiple ? undefined : 1)) onFile(file)
  }
  return (
    <Field id={id} label={label} hint={hint} error={error} alert {...(mark ? { mark } : {})}>
      {(wiring) => (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button in it is the first */}
          <div
            className={`picture-drop ${className}`}
            data-over={over || undefined}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(true)
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault()
              setOver(false)
              take(event.dataTransfer.files)
            }}
          >
            {children({
              ...wiring,
              ref: picker,
              type: 'file',
              accept,
              disabled,
              multiple,
              onChange: (event) => take(event.target.files),
            })}
          </div>
          {below}
        </>
      )}
    </Field>
  )
}
