export type IconProps = { size?: number }

/**
 * Outline icons in the style of Lucide, drawn here so that only the used ones are downloaded. They are decoration: the
 * button around an icon has the accessible name.
 */
export function Outline({ size = 20, d }: IconProps & { d: string }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={d} />
    </svg>
  )
}

export function MenuIcon(props: IconProps) {
  return <Outline {...props} d="M4 7h16M4 12h16M4 17h16" />
}

export function SearchIcon(props: IconProps) {
  return <Outline {...props} d="M17.5 10.5a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM20.5 20.5l-5-5" />
}

export function CloseIcon(props: IconProps) {
  return <Outline {...props} d="M6 6l12 12M18 6 6 18" />
}

export function PlusIcon(props: IconProps) {
  return <Outline {...props} d="M12 5v14M5 12h14" />
}

export function MinusIcon(props: IconProps) {
  return <Outline {...props} d="M5 12h14" />
}

export function CheckIcon(props: IconProps) {
  return <Outline {...props} d="m5 12.5 4.5 4.5L19 7.5" />
}

export function AlertIcon(props: IconProps) {
  return <Outline {...props} d="M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM12 7.5V13M12 16.3v.2" />
}

export function BinIcon(props: IconProps) {
  return <Outline {...props} d="M4 7h16M9.5 7V4.5h5V7M6 7l1 13h10l1-13M10 11v5M14 11v5" />
}

export function PhoneIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M5 3.5h4l1.7 4.6-2.3 1.6a13 13 0 0 0 5.9 5.9l1.6-2.3 4.6 1.7v4a1.5 1.5 0 0 1-1.6 1.5A17 17 0 0 1 3.5 5.1 1.5 1.5 0 0 1 5 3.5Z"
    />
  )
}

export function MailIcon(props: IconProps) {
  return <Outline {...props} d="M3.5 6h17v12h-17zM3.5 7l8.5 6 8.5-6" />
}

export function PinIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M12 21s7-6.2 7-11.5a7 7 0 1 0-14 0C5 14.8 12 21 12 21ZM14.5 9.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z"
    />
  )
}

export function CartIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M3.5 9.5h17l-2.2 9.8a2 2 0 0 1-2 1.5H7.7a2 2 0 0 1-2-1.5zM7.5 9.5c.5-6.3 8.5-6.3 9 0"
    />
  )
}

export function TruckIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M2.5 6h11v11h-11zM13.5 10h4l3.5 3.5V17h-7.5M8.5 18a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0ZM18.8 18a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0Z"
    />
  )
}

export function CashIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M2.5 6.5h19v11h-19zM14.5 12a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM6 9.5v5M18 9.5v5"
    />
  )
}

export function ReceiptIcon(props: IconProps) {
  return <Outline {...props} d="M5 3v18l2.3-1.5L9.7 21l2.3-1.5 2.3 1.5 2.4-1.5L19 21V3zM8.5 8h7M8.5 12h7" />
}
