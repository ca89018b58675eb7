import type { Product } from '@/features/catalogue/api'
import type { Subject } from '@/features/media/drawing/model'
import { Picture } from '@/features/media/picture'
import { useLang } from '@/lib/i18n'
import { localText } from '@/lib/local-text'

/** The drawn width of the picture itself (inside its disc), without the placeholder around it. */
const SIZES = {
  card: '120px',
  detail: '256px',
  line: '64px',
}

/** What a product's picture is drawn from if it has no photo. */
export const subjectOf = ({ name, nameNe, category, unit }: Product): Subject => ({
  name,
  nameNe,
  category,
  packLabel: unit?.label,
  packLabelNe: unit?.labelNe,
})

type ProductPictureProps = {
  product: Product
  size: keyof typeof SIZES
  eager?: boolean
  /** Whether the name is beside it. */
  decorative?: boolean
}

export function ProductPicture({ product, size, eager = false, decorative = false }: ProductPictureProps) {
  const lang = useLang()
  return (
    <Picture
      src={product.image}
      srcSet={product.imageSet}
      sizes={SIZES[size]}
      alt={decorative ? '' : localText(product, 'name', lang)}
      seed={product.categorySlug}
      subject={subjectOf(product)}
      eager={eager}
    />
  )
}
