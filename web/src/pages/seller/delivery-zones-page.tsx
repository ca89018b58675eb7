import '@/styles/forms.css'
import '@/styles/orders.css'
import '@/styles/seller-zones.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { serverText } from '@/api/server-text'
import { ClosedDays, ClosedToday } from '@/features/delivery/seller/closed-days'
import { deliveryRules, rulesApi, type Zone } from '@/features/delivery/seller/rules-api'
import { ZoneCard } from '@/features/delivery/seller/zone-card'
import { ZoneForm } from '@/features/delivery/seller/zone-form'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { messageText, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { PinIcon, PlusIcon } from '@/ui/icons'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** Where and when the shop delivers: zones with fees and windows, and closed days. */
export function SellerDeliveryZonesPage() {
  const t = useT()
  usePageTitle(t('seller.zones.title'))
  const query = useQuery(deliveryRules)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const [editing, setEditing] = useState<Zone | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Zone | null>(null)
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.zones.title')}</h1>
        <div className="seller-page-tools">
          <button type="button" className="button button-primary" onClick={() => setEditing('new')}>
            <PlusIcon />
            {t('seller.zones.add')}
          </button>
        </div>
      </div>
      <p className="zones-intro muted">{t('seller.zones.intro')}</p>
      <LoadState query={query} problem="seller.zones.failed" skeleton={<ZonesSkeleton />}>
        {({ zones, closedDays, today }) => (
          <div className="zones">
            <ClosedToday days={closedDays} today={today} />
            {zones.length === 0 ? (
              <StatePanel
                icon={<PinIcon size={36} />}
                title={t('seller.zones.none')}
                text={t('seller.zones.noneText')}
              />
            ) : (
              zones.map((zone) => (
                <ZoneCard
                  key={zone._id}
                  zone={zone}
                  onEdit={() => setEditing(zone)}
                  onDelete={() => setDeleting(zone)}
                />
              ))
            )}
            <ClosedDays days={closedDays} today={today} />
          </div>
        )}
      </LoadState>
      {editing ? (
        <ZoneForm zone={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      ) : null}
      {deleting ? <DeleteZone zone={deleting} onClose={() => setDeleting(null)} /> : null}
    </>
  )
}

function DeleteZone({ zone, onClose }: { zone: Zone; onClose: () => void }) {
  const t = useT()
  const name = localText(zone, 'name', useLang())
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<string>()
  const confirm = () =>
    run(async () => {
      try {
        await rulesApi.deleteZone(zone._id)
        toast.success('seller.zones.saved')
        onClose()
      } catch (error) {
        const texts = { refused: 'seller.zones.saveFailed', broken: 'seller.zones.saveError' } as const
        setProblem(messageText(serverText(error, texts)))
      }
    })
  return (
    <ConfirmDialog
      id="delete-zone"
      title={t('seller.zones.deleteTitle')}
      text={t('seller.zones.deleteText', { name })}
      about={name}
      confirm={t('seller.zones.delete')}
      keep={t('seller.zones.keep')}
      busy={busy}
      problem={problem}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    />
  )
}

function ZonesSkeleton() {
  return (
    <div className="zones skeleton-late" aria-hidden="true">
      {[1, 2].map((row) => (
        <div key={row} className="zones-skeleton skeleton" />
      ))}
    </div>
  )
}
