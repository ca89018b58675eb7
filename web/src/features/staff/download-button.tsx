import type { ReactNode } from 'react'
import { unwrap } from '@/api/client'
import { repeatWithCode } from '@/features/staff/session-guard'
import { useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { useBusy } from '@/ui/use-busy'

/** Fetched by script, so that a refusal shows a message instead of being saved as a file. */
async function download(address: string, spare: string) {
  const request = () => fetch(address, { credentials: 'same-origin' })
  const response = await repeatWithCode(await request(), request)
  if (!response.ok) unwrap({ error: await response.json().catch(() => undefined), response })
  const [, name] = response.headers.get('content-disposition')?.match(/filename="?([^";]+)/) ?? []
  const file = URL.createObjectURL(await response.blob())
  Object.assign(document.createElement('a'), { href: file, download: name ?? spare }).click()
  // Some browsers read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(file), 10_000)
}

type DownloadButtonProps = {
  address: string
  /** The file name if the server does not send one. */
  name: string
  icon: ReactNode
  label: string
  onFailed: (error: unknown) => void
}

export function DownloadButton({ address, name, icon, label, onFailed }: DownloadButtonProps) {
  const t = useT()
  const online = useOnline()
  const [busy, run] = useBusy()
  const onClick = () => run(() => download(address, name).catch(onFailed))
  return (
    <button
      type="button"
      className="button button-outline"
      disabled={busy || !online}
      title={online ? undefined : t('form.offline')}
      aria-busy={busy}
      onClick={() => void onClick()}
    >
      {busy ? <span className="spinner" /> : icon}
      {label}
    </button>
  )
}
