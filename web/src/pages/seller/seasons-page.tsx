import '@/styles/forms.css'
import '@/styles/seller-seasons.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { serverText } from '@/api/server-text'
import { SeasonCards } from '@/features/seasons/seller/season-cards'
import { SeasonForm } from '@/features/seasons/seller/season-form'
import { THEME_NAMES } from '@/features/seasons/seller/season-texts'
import { allSeasons, type Season, seasonsApi } from '@/features/seasons/seller/seasons-api'
import { useMay } from '@/features/staff/permissions'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { PlusIcon } from '@/ui/icons'
import { SparkIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'seller.seasons.failed', broken: 'seller.seasons.error' } as const

/** The seasons of the home page: what its banner shows, and from when until when. */
export function SellerSeasonsPage() {
  const t = useT()
  usePageTitle(t('seller.nav.seasons'))
  const query = useQuery(allSeasons)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const mayEdit = useMay()('products.edit')
  const [editing, setEditing] = useState<Season | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Season | null>(null)
  const [busy, run] = useBusy()
  const remove = (season: Season) =>
    void run(async () => {
      try {
        await seasonsApi.delete(season)
        toast.success('seller.seasons.deleted')
      } catch (error) {
        if (handleSellerSessionEnded(error)) return
        toast.error(serverText(error, TEXTS))
        void seasonsApi.reload()
      }
      setDeleting(null)
    })
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.seasons')}</h1>
        {mayEdit ? (
          <div className="seller-page-tools">
            <button
              type="button"
              className="button button-primary"
              disabled={!query.data}
              onClick={() => setEditing('new')}
            >
              <PlusIcon />
              {t('seller.seasons.add')}
            </button>
          </div>
        ) : null}
      </div>
      <p className="seasons-intro muted">{t('seller.seasons.intro')}</p>
      <LoadState
        query={query}
        problem="seller.seasons.loadProblem"
        skeleton={<div className="seasons-skeleton skeleton skeleton-late" aria-hidden="true" />}
      >
        {(list) =>
          list.seasons.length === 0 ? (
            <StatePanel
              icon={<SparkIcon size={36} />}
              title={t('seller.seasons.none')}
              text={t('seller.seasons.noneText')}
            />
          ) : (
            <SeasonCards list={list} mayEdit={mayEdit} onEdit={setEditing} onDelete={setDeleting} />
          )
        }
      </LoadState>
      {editing && query.data ? (
        <SeasonForm
          season={editing === 'new' ? null : editing}
          themes={query.data.themes}
          onClose={() => setEditing(null)}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          id="delete-season"
          title={t('seller.seasons.deleteTitle')}
          text={t('seller.seasons.deleteText', { name: t(THEME_NAMES[deleting.theme]) })}
          confirm={t('seller.seasons.delete')}
          busy={busy}
          onConfirm={() => remove(deleting)}
          onCancel={() => setDeleting(null)}
        />
      ) : null}
    </>
  )
}
