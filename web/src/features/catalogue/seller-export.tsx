import { unwrap } from '@/api/client'
import { failureText } from '@/features/catalogue/seller-failure'
import { useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { FileIcon } from '@/ui/icons-forms'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** Asked for by script, so that a no can be explained instead of being saved as a file. */
async function fetchProducts() {
  const response = await fetch('/api/product/export_products.csv', { credentials: 'same-origin' })
  if (!response.ok) unwrap({ error: await response.json().catch(() => undefined), response })
  const [, name] = response.headers.get('content-disposition')?.match(/filename="?([^";]+)/) ?? []
  const address = URL.createObjectURL(await response.blob())
  Object.assign(document.createElement('a'), { href: address, download: name ?? 'products.csv' }).click()
  // Some browsers read the file only after this moment.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

export function ExportButton() {
  const t = useT()
  const online = useOnline()
  const [busy, run] = useBusy()
  const onClick = () => run(() => fetchProducts().catch((error: unknown) => toast.error(failureText(error))))
  return (
    <button
      type="button"
      className="button button-outline"
      disabled={busy || !online}
      title={online ? undefined : t('form.offline')}
      aria-busy={busy}
      onClick={() => void onClick()}
    >
      {busy ? <span className="spinner" /> : <FileIcon />}
      {t('sprod.export')}
    </button>
  )
}
