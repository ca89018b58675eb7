import { useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'

export function OfflineNote() {
  const t = useT()
  const online = useOnline()
  return <div role="status">{online ? null : <p className="offline-bar">{t('form.offline')}</p>}</div>
}
