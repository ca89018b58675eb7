import { type IconProps, Outline } from '@/ui/icons'

/** Icons of the seller dashboard; separate, so that shoppers do not load them. */

export function BoxIcon(props: IconProps) {
  return <Outline {...props} d="M3.5 7.5 12 3l8.5 4.5v9L12 21l-8.5-4.5zM3.5 7.5 12 12l8.5-4.5M12 12v9" />
}

export function ClipboardIcon(props: IconProps) {
  return <Outline {...props} d="M5.5 5h13v16h-13zM9 5V3h6v2M9 11h6M9 15h6" />
}

export function ClipboardCheckIcon(props: IconProps) {
  return <Outline {...props} d="M5.5 5h13v16h-13zM9 5V3h6v2M8.5 13l2.5 2.5 4.5-5" />
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

export function ChartIcon(props: IconProps) {
  return <Outline {...props} d="M4 4v16h16M8.5 16v-5M13 16V7M17.5 16v-8" />
}

export function SparkIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M11 3c1 5 2.5 6.5 7.5 7.5-5 1-6.5 2.5-7.5 7.5-1-5-2.5-6.5-7.5-7.5 5-1 6.5-2.5 7.5-7.5ZM18.5 16v4.5M16.3 18.3h4.5"
    />
  )
}

export function ShopIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M4 10v10h16V10M3 9l2-5h14l2 5c0 3-4.5 3-4.5 0 0 3-4.5 3-4.5 0 0 3-4.5 3-4.5 0 0 3-4.5 3-4.5 0ZM10 20v-5h4v5"
    />
  )
}

export function EnvelopeIcon(props: IconProps) {
  return <Outline {...props} d="M3.5 5.5h17v13h-17zM3.5 6.5 12 13l8.5-6.5" />
}

export function DocumentIcon(props: IconProps) {
  return <Outline {...props} d="M6 3.5h8l4.5 4.5v12.5H6zM14 3.5V8h4.5M9 12.5h6M9 16h6" />
}

export function HistoryIcon(props: IconProps) {
  return <Outline {...props} d="M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M12 7.5V12l3 2" />
}

export function PeopleIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M12.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0ZM2.5 20a6.5 6.5 0 0 1 13 0M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5a6.5 6.5 0 0 1 3.5 5.5"
    />
  )
}

export function DotsIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M6 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0ZM13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0ZM20 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z"
    />
  )
}

export function PrinterIcon(props: IconProps) {
  return <Outline {...props} d="M7 8V3.5h10V8M7 17H3.5V8h17v9H17M7 14h10v6.5H7z" />
}

export function ArrowUpIcon(props: IconProps) {
  return <Outline {...props} d="M12 19V5M6 11l6-6 6 6" />
}

export function ArrowDownIcon(props: IconProps) {
  return <Outline {...props} d="M12 5v14M6 13l6 6 6-6" />
}

export function DownloadIcon(props: IconProps) {
  return <Outline {...props} d="M12 4v11M7 10.5l5 5 5-5M4 20h16" />
}

export function KeyboardIcon(props: IconProps) {
  return <Outline {...props} d="M3 6.5h18v11H3zM7 10h.01M11 10h.01M15 10h.01M18 10h.01M7.5 14h9" />
}

export function TruckIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M5.5 17H3V5h11v12H9.5M14 9h4l3 4v4h-1.5M14 17h1.5M9.5 17.5a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM19.5 17.5a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z"
    />
  )
}

export function TagIcon(props: IconProps) {
  return <Outline {...props} d="M3 12V4a1 1 0 0 1 1-1h8l9 9-9 9-9-9ZM7.5 7.5h.01" />
}
