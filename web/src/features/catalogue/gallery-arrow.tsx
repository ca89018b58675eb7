import { ArrowLeftIcon, ArrowRightIcon } from '@/ui/icons-gallery'

type ArrowProps = {
  by: 1 | -1
  label: string
  at: number
  count: number
  onShow: (index: number) => void
}

/** At the end it stays where it is, so that the focus does too. */
export function GalleryArrow({ by, label, at, count, onShow }: ArrowProps) {
  const next = at + by
  const isEnd = next < 0 || next >= count
  return (
    <button
      type="button"
      className={`icon-button gallery-arrow ${by > 0 ? 'gallery-arrow-next' : ''}`}
      aria-label={label}
      aria-disabled={isEnd || undefined}
      onClick={() => (isEnd ? undefined : onShow(next))}
    >
      {by > 0 ? <ArrowRightIcon /> : <ArrowLeftIcon />}
    </button>
  )
}
