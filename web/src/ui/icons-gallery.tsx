import { type IconProps, Outline } from '@/ui/icons'

/** The icons of the product's gallery, which other pages do not download. */
export function ArrowLeftIcon(props: IconProps) {
  return <Outline {...props} d="M15 5l-7 7 7 7" />
}

export function ArrowRightIcon(props: IconProps) {
  return <Outline {...props} d="M9 5l7 7-7 7" />
}

export function ZoomInIcon(props: IconProps) {
  return (
    <Outline {...props} d="M17.5 10.5a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM20.5 20.5l-5-5M10.5 7.5v6M7.5 10.5h6" />
  )
}

export function ZoomOutIcon(props: IconProps) {
  return <Outline {...props} d="M17.5 10.5a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM20.5 20.5l-5-5M7.5 10.5h6" />
}
