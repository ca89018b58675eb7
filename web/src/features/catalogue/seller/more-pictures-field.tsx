import { useRef } from 'react'
import {
  MAX_MORE_PICTURES,
  type MorePicture,
  type useMorePictures,
} from '@/features/catalogue/seller/use-more-pictures'
import { DropField } from '@/features/media/drop-field'
import { FilePreview } from '@/features/media/file-preview'
import { PICTURE_TYPES } from '@/features/media/picture-problem'
import { messageText, useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { BinIcon } from '@/ui/icons'
import { CameraIcon } from '@/ui/icons-forms'
import { ArrowLeftIcon, ArrowRightIcon } from '@/ui/icons-gallery'

type MorePicturesFieldProps = {
  id: string
  more: ReturnType<typeof useMorePictures>
  hasMain: boolean
  onChange: () => void
  onMakeMain: (item: MorePicture) => void
  error?: string | undefined
}

/** The further pictures of a product, in the order in which shoppers see them. */
export function MorePicturesField(props: MorePicturesFieldProps) {
  const { id, more, hasMain, onChange, onMakeMain, error } = props
  const t = useT()
  const lang = useLang()
  const picker = useRef<HTMLInputElement>(null)
  const { items } = more
  const isFull = items.length >= MAX_MORE_PICTURES
  // The server takes no more than seven keys, and here the main picture would be one of them.
  const canSwap = !(isFull && hasMain)
  const add = (file: File | undefined) => {
    if (!file) return
    more.add(file)
    onChange()
    if (picker.current) picker.current.value = ''
  }
  const remove = (item: MorePicture) => {
    more.remove(item.id)
    onChange()
    picker.current?.focus()
  }
  return (
    <DropField
      id={id}
      label={t('seller.products.moreImages')}
      hint={t('seller.products.moreImagesHint', { n: formatNumber(MAX_MORE_PICTURES, lang) })}
      mark="optional"
      error={error}
      className="more-pictures"
      picker={picker}
      accept={PICTURE_TYPES.join(',')}
      multiple
      onFile={add}
      below={null}
    >
      {(input) => (
        <>
          {items.length > 0 ? (
            <ol>
              {items.map((item, index) => (
                <Tile
                  key={item.id}
                  item={item}
                  index={index}
                  more={more}
                  onMakeMain={canSwap ? () => onMakeMain(item) : undefined}
                  onRemove={() => remove(item)}
                />
              ))}
            </ol>
          ) : null}
          {canSwap ? null : <p className="muted">{t('seller.products.moreImageMainFull')}</p>}
          <div className="photo-buttons">
            <span className="button button-outline photo-pick" aria-disabled={isFull || undefined}>
              <CameraIcon />
              {t('seller.products.moreImagesAdd')}
              {/* A disabled input could not take the focus that an error leads to it. */}
              <input
                {...input}
                aria-disabled={isFull || undefined}
                onClick={(event) => isFull && event.preventDefault()}
              />
            </span>
            <span className="picture-drop-hint">{t('seller.products.moreImagesDrop')}</span>
          </div>
        </>
      )}
    </DropField>
  )
}

type TileProps = {
  item: MorePicture
  index: number
  more: ReturnType<typeof useMorePictures>
  onMakeMain: (() => void) | undefined
  onRemove: () => void
}

function Tile({ item, index, more, onMakeMain, onRemove }: TileProps) {
  const t = useT()
  const lang = useLang()
  const { picture, file, failed } = item
  const n = formatNumber(index + 1, lang)
  const label = t('seller.products.moreImage', { n })
  const move = (by: 1 | -1) => {
    const isEnd = by < 0 ? index === 0 : index === more.items.length - 1
    return (
      <button
        type="button"
        className="icon-button"
        aria-label={t(by < 0 ? 'seller.products.moreImageEarlier' : 'seller.products.moreImageLater', { n })}
        aria-disabled={isEnd || undefined}
        onClick={() => more.move(item.id, by)}
      >
        {by < 0 ? <ArrowLeftIcon /> : <ArrowRightIcon />}
      </button>
    )
  }
  return (
    <li>
      {picture ? (
        <img
          className="picture-now"
          src={picture.image}
          srcSet={picture.imageSet}
          sizes="128px"
          alt={label}
        />
      ) : file ? (
        <FilePreview file={file} alt={label} className="picture-now" />
      ) : null}
      {failed ? (
        <p className="field-error" role="alert">
          {messageText(failed)}{' '}
          {failed.startsWith('photo.') ? null : (
            <button type="button" className="link" onClick={() => more.retry(item)}>
              {t('retry')}
            </button>
          )}
        </p>
      ) : picture ? null : (
        <p className="muted" role="status">
          {t('seller.products.moreImageSending')}
        </p>
      )}
      {picture && onMakeMain ? (
        <button
          type="button"
          className="button button-plain"
          aria-label={`${t('seller.products.moreImageMain')}: ${label}`}
          onClick={onMakeMain}
        >
          {t('seller.products.moreImageMain')}
        </button>
      ) : null}
      <div className="more-picture-buttons">
        {move(-1)}
        {move(1)}
        <button
          type="button"
          className="icon-button"
          aria-label={t('seller.products.moreImageRemove', { n })}
          onClick={onRemove}
        >
          <BinIcon />
        </button>
      </div>
    </li>
  )
}
