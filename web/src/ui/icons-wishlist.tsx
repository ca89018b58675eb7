import { type IconProps, Outline } from '@/ui/icons'

/** Icons of favourites and of back-in-stock notices. */

export function HeartIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M12 20.5C5.5 15.8 3 12.6 3 9a4.7 4.7 0 0 1 9-2 4.7 4.7 0 0 1 9 2c0 3.6-2.5 6.8-9 11.5Z"
    />
  )
}

export function BellIcon(props: IconProps) {
  return <Outline {...props} d="M6 10a6 6 0 0 1 12 0c0 5 2 6 2 7H4c0-1 2-2 2-7ZM10 20.5h4" />
}
