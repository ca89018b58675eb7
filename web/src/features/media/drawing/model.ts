import type { GrainShape } from '@/features/media/drawing/grain-shapes'

export type Grain = { shape: GrainShape; colors: string[]; size?: number }

export const KINDS = [
  'bag',
  'bar',
  'block',
  'bottle',
  'bowl',
  'broom',
  'bunch',
  'candles',
  'carton',
  'clear',
  'coil',
  'crate',
  'eggs',
  'emoji',
  'incense',
  'jar',
  'jug',
  'matches',
  'packet',
  'pot',
  'produce',
  'sack',
  'tin',
  'tray',
  'tub',
  'tube',
] as const
export type Kind = (typeof KINDS)[number]

export const PRINTS = [
  'plain',
  'band',
  'wave',
  'diagonal',
  'rays',
  'hills',
  'frame',
  'disc',
  'stripes',
] as const
export type Print = (typeof PRINTS)[number]

/** What a drawing shows. Everything but the kind and the colour depends on the kind. */
export type Drawing = {
  kind: Kind
  color: string
  /** The colour of the print, the lid or the cap. */
  accent?: string
  /** The form within the kind, for example 'wide' for a packet. */
  shape?: string
  print?: Print
  /** The goods that can be seen: in a heap, a window or a clear packet. */
  grain?: Grain
  /** An emoji printed on the pack, or the whole picture if the kind is 'emoji'. */
  emblem?: string
  /** Turns the hue of an emoji by these degrees and scales its saturation and lightness. */
  tint?: { hue?: number; saturation?: number; light?: number }
  /** The name, and the same in the other script. */
  label?: string
  sub?: string
  /** The size of the pack. */
  pack?: string
}

/** What is known about a product or a category without a photo. */
export type Subject = {
  name: string
  nameNe?: string | null | undefined
  /** The name of the product's category. */
  category?: string | null | undefined
  /** The label of its pack, for example '1 L bottle'. */
  packLabel?: string | null | undefined
  packLabelNe?: string | null | undefined
  /** A category is drawn as goods without a name. */
  isCategory?: boolean
}
