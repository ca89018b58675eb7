import { keyboardShortcuts } from '@/features/orders/seller/keyboard-shortcuts'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { type MessageId, useT } from '@/lib/i18n'
import { Dialog } from '@/ui/dialog'

const KEYS: [keys: string[], what: MessageId][] = [
  [['j', '↓'], 'seller.orders.shortcuts.next'],
  [['k', '↑'], 'seller.orders.shortcuts.previous'],
  [['Enter'], 'seller.orders.shortcuts.open'],
  [['x'], 'seller.orders.shortcuts.select'],
  [['s'], 'seller.orders.shortcuts.status'],
  [['?'], 'seller.orders.shortcuts.help'],
]

export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const t = useT()
  const text = useStatusText()
  const enabled = keyboardShortcuts.use()
  return (
    <Dialog id="shortcuts" variant="card" title={t('seller.orders.shortcuts.title')} onClose={onClose}>
      <dl className="shortcuts">
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
            <dd>{t('seller.orders.shortcuts.set', { status: text(status) })}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">{t('seller.orders.shortcuts.note')}</p>
      <label className="checkbox-label">
        <input
          type="checkbox"
          checked={enabled}
          onChange={(event) => keyboardShortcuts.set(event.target.checked)}
        />
        {t('seller.orders.shortcuts.use')}
      </label>
    </Dialog>
  )
}
