import type { Category } from '@/features/catalogue/api'
import { Picture } from '@/features/media/picture'

type CategoryPictureProps = { category: Category; sizes: string; alt: string; eager?: boolean }

export function CategoryPicture({ category, sizes, alt, eager = false }: CategoryPictureProps) {
  return (
    <Picture
      src={category.image}
      srcSet={category.imageSet}
      sizes={sizes}
      alt={alt}
      seed={category.slug}
      subject={{ name: category.name, nameNe: category.nameNe, isCategory: true }}
      eager={eager}
    />
  )
}

/** An uploaded picture or, in the demo shop, an emoji. Both are decoration beside the name. */
export function CategoryIcon({ icon }: { icon: string | null | undefined }) {
  if (!icon) return null
  const isAddress = /^(\/|https?:)/.test(icon)
  return isAddress ? (
    <img className="category-icon" src={icon} alt="" width={24} height={24} loading="lazy" />
  ) : (
    <span className="category-icon" aria-hidden="true">
      {icon}
    </span>
  )
}
