import { type IconProps, Outline } from '@/ui/icons'

/** Icons of the seller's desk: apart, so that shoppers do not load them. */

export function BoxIcon(props: IconProps) {
  return <Outline {...props} d="M3.5 7.5 12 3l8.5 4.5v9L12 21l-8.5-4.5zM3.5 7.5 12 12l8.5-4.5M12 12v9" />
}

export function ClipboardIcon(props: IconProps) {
  return <Outline {...props} d="M5.5 5h13v16h-13zM9 5V3h6v2M9 11h6M9 15h6" />
}

export function GridIcon(props: IconProps) {
  return <Outline {...props} d="M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z" />
}

export function HomeIcon(props: IconProps) {
  return <Outline {...props} d="M3.5 11 12 4l8.5 7M6 9.5V20h12V9.5M10 20v-6h4v6" />
}

export function BellIcon(props: IconProps) {
  return <Outline {...props} d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4M12 5V3" />
}

export function CoinsIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M14.5 9a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0ZM16.8 8.9a5.5 5.5 0 1 1-7.9 7.4M9 6.5v5M7.2 8h2.6"
    />
  )
}
