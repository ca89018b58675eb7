import '@/styles/alerts.css'
import { useId } from 'react'
import { useBusy } from '@/ui/use-busy'

type ChannelSwitchProps = {
  label: string
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => Promise<unknown>
}

/** A checkbox that saves itself; it shows the new value when the server has it. */
export function ChannelSwitch({ label, hint, checked, onChange }: ChannelSwitchProps) {
  const id = useId()
  const [busy, run] = useBusy()
  return (
    <div className="channel-switch">
      <label>
        <input
          type="checkbox"
          checked={checked}
          aria-busy={busy}
          aria-describedby={hint ? id : undefined}
          onChange={(event) => {
            const wanted = event.target.checked
            void run(async () => {
              await onChange(wanted)
            })
          }}
        />
        {label}
      </label>
      {hint ? (
        <p id={id} className="muted">
          {hint}
        </p>
      ) : null}
    </div>
  )
}
