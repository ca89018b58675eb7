import { type IconProps, Outline } from '@/ui/icons'

/** Icons of the seller's pages about products. */

export function UploadIcon(props: IconProps) {
  return <Outline {...props} d="M12 16V4M7.5 8.5 12 4l4.5 4.5M4 15v5h16v-5" />
}

export function SortIcon({ direction }: { direction: 'ascending' | 'descending' | 'none' }) {
  const shape = {
    ascending: 'm6 15 6-6 6 6',
    descending: 'm6 9 6 6 6-6',
    none: 'm8 9.5 4-4 4 4M8 14.5l4 4 4-4',
  }
  return <Outline size={16} d={shape[direction]} />
}
