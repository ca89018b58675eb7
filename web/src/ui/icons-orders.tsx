import { type IconProps, Outline } from '@/ui/icons'

/** Icons of orders; separate, so that visitors who only browse do not load them. */

const CIRCLE = 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z'

export function CheckCircleIcon(props: IconProps) {
  return <Outline {...props} d={`${CIRCLE}M8 12.3l2.7 2.7L16 9.7`} />
}

export function CrossCircleIcon(props: IconProps) {
  return <Outline {...props} d={`${CIRCLE}M9 9l6 6M15 9l-6 6`} />
}

export function ClockIcon(props: IconProps) {
  return <Outline {...props} d={`${CIRCLE}M12 7v5.3l3.3 2`} />
}

export function ParcelIcon(props: IconProps) {
  return <Outline {...props} d="M3.5 7.5 12 3l8.5 4.5v9L12 21l-8.5-4.5zM3.5 7.5 12 12l8.5-4.5M12 12v9" />
}

export function ClipboardCheckIcon(props: IconProps) {
  return <Outline {...props} d="M5.5 5h13v16h-13zM9 5V3h6v2M9 13l2.2 2.2L15.3 11" />
}

export function CopyIcon(props: IconProps) {
  return <Outline {...props} d="M9 9h11v11H9zM5 15H4V4h11v1" />
}
