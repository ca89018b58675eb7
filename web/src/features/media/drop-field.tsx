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
  onFile: (file: File | undefined) => void
  /** Draws what stands in the field, around the real field. */
  children: (input: ComponentProps<'input'>) => ReactNode
  /** Under the field: how far a file has come. */
  below: ReactNode
}

/** One file: chosen with the button or dropped onto the field. */
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
    onFile,
    children,
    below,
  } = props
  const [over, setOver] = useState(false)
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
              onFile(event.dataTransfer.files[0])
            }}
          >
            {children({
              ...wiring,
              ref: picker,
              type: 'file',
              accept,
              disabled,
              onChange: (event) => onFile(event.target.files?.[0]),
            })}
          </div>
          {below}
        </>
      )}
    </Field>
  )
}
