import { useQuery } from '@tanstack/react-query'
import { type ImportPicture, importQueries } from '@/features/catalogue/seller/import-api'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { LoadState } from '@/ui/load-state'

/** A longer list would push the rows away. */
const MAX_LISTED = 20

/** The images that came in a zip file: how many are used, and which are not and why. */
export function ImportPictures({ id }: { id: string }) {
  const t = useT()
  const query = useQuery(importQueries.pictures(id))
  const inState = (pictures: ImportPicture[], state: ImportPicture['state']) =>
    pictures.filter((picture) => picture.state === state)
  return (
    <section className="import-pictures" aria-labelledby="import-pictures">
      <h3 id="import-pictures">{t('seller.imports.images')}</h3>
      <LoadState
        query={query}
        problem="seller.imports.imagesFailed"
        skeleton={<div className="skeleton import-pictures-skeleton" aria-hidden="true" />}
      >
        {(pictures) => (
          <>
            <p>{t('seller.imports.imagesUsed', { n: inState(pictures, 'used').length })}</p>
            <PictureList pictures={inState(pictures, 'error')} title="seller.imports.imagesErrors" />
            <PictureList pictures={inState(pictures, 'unused')} title="seller.imports.imagesUnused" />
          </>
        )}
      </LoadState>
    </section>
  )
}

type PictureListProps = {
  pictures: ImportPicture[]
  title: 'seller.imports.imagesErrors' | 'seller.imports.imagesUnused'
}

function PictureList({ pictures, title }: PictureListProps) {
  const t = useT()
  const lang = useLang()
  const left = pictures.length - MAX_LISTED
  if (pictures.length === 0) return null
  return (
    <div>
      <p className={title === 'seller.imports.imagesErrors' ? 'import-error' : undefined}>
        {t(title, { n: pictures.length })}
      </p>
      <ul>
        {pictures.slice(0, MAX_LISTED).map(({ name, message }) => (
          <li key={name}>
            <code translate="no">{name}</code> {message}
          </li>
        ))}
        {left > 0 ? <li>{t('seller.imports.imagesMore', { n: formatNumber(left, lang) })}</li> : null}
      </ul>
    </div>
  )
}
