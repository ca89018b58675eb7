import { type IconProps, Outline } from '@/ui/icons'

/** Icons of forms and account pages; separate, so that visitors who only browse do not load them. */

export function EyeIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12ZM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z"
    />
  )
}

export function EyeOffIcon(props: IconProps) {
  return (
    <Outline
      {...props}
      d="M3 3l18 18M10 5.7a10 10 0 0 1 2-.2c6.4 0 10 6.5 10 6.5a17 17 0 0 1-2.8 3.5M6.3 7.3A16 16 0 0 0 2 12s3.6 6.5 10 6.5a10 10 0 0 0 4.6-1.1M9.9 9.9a3 3 0 0 0 4.2 4.2"
    />
  )
}

export function PersonIcon(props: IconProps) {
  return <Outline {...props} d="M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM4 21c.6-4.5 4-6.5 8-6.5s7.4 2 8 6.5" />
}

export function LogoutIcon(props: IconProps) {
  return <Outline {...props} d="M14 4H5v16h9M10 12h11M17.5 8.5 21 12l-3.5 3.5" />
}

export function PencilIcon(props: IconProps) {
  return <Outline {...props} d="M4 20l1-4.5L16.5 4 20 7.5 8.5 19zM14 6.5 17.5 10" />
}

export function CameraIcon(props: IconProps) {
  return (
    <Outline {...props} d="M3.5 8h4L9 5.5h6L16.5 8h4v11h-17zM15.5 13a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z" />
  )
}

export function LockIcon(props: IconProps) {
  return <Outline {...props} d="M5.5 11h13v9.5h-13zM8 11V8a4 4 0 0 1 8 0v3M12 14.5V17" />
}

export function DeviceIcon(props: IconProps) {
  return <Outline {...props} d="M7 2.5h10v19H7zM11 18.5h2" />
}

export function FileIcon(props: IconProps) {
  return <Outline {...props} d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6" />
}

export function GoogleMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M22.5 12.3c0-.8-.1-1.5-.2-2.2H12v4.2h5.9a5 5 0 0 1-2.2 3.3v2.7h3.5c2.1-1.9 3.3-4.7 3.3-8Z"
      />
      <path
        fill="#34a853"
        d="M12 23c3 0 5.5-1 7.3-2.7l-3.6-2.7c-1 .7-2.2 1-3.7 1-2.9 0-5.3-1.9-6.2-4.5H2.2V17A11 11 0 0 0 12 23Z"
      />
      <path fill="#fbbc05" d="M5.8 14.1a6.6 6.6 0 0 1 0-4.2V7H2.2a11 11 0 0 0 0 10z" />
      <path
        fill="#ea4335"
        d="M12 5.4c1.6 0 3.1.6 4.2 1.6l3.2-3.1A11 11 0 0 0 2.2 7l3.6 2.9C6.7 7.3 9.1 5.4 12 5.4Z"
      />
    </svg>
  )
}
