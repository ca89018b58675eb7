import { deskKeys } from '@/features/orders/seller-keys'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { type MessageId, useT } from '@/lib/i18n'
import { Dialog } from '@/ui/dialog'

const KEYS: [keys: string[], what: MessageId][] = [
  [['j', '↓'], 'sdesk.keys.next'],
  [['k', '↑'], 'sdesk.keys.previous'],
  [['Enter'], 'sdesk.keys.open'],
  [['x'], 'sdesk.keys.select'],
  [['s'], 'sdesk.keys.status'],
  [['?'], 'sdesk.keys.help'],
]

export function SellerKeysHelp({ onClose }: { onClose: () => void }) {
  const t = useT()
  const text = useStatusText()
  const enabled = deskKeys.use()
  return (
    <Dialog id="desk-keys" look="card" title={t('sdesk.keys.title')} onClose={onClose}>
      <dl className="keys">
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
        {STATUSES.map((status, index) => (
          <div key={status}>
            <dt>
              <kbd>{index + 1}</kbd>
            </dt>
            <dd>{t('sdesk.keys.set', { status: text(status) })}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">{t('sdesk.keys.note')}</p>
      <label className="tick">
        <input type="checkbox" checked={enabled} onChange={(event) => deskKeys.set(event.target.checked)} />
        {t('sdesk.keys.use')}
      </label>
    </Dialog>
  )
}
