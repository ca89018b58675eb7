import { Link } from '@tanstack/react-router'
import type { Category } from '@/features/catalogue/api'
import { CategoryPicture } from '@/features/catalogue/category-picture'
import { useLang } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { paths } from '@/lib/paths'

/** A small square in the grid of the home page. */
export function CategoryTile({ category }: { category: Category }) {
  const lang = useLang()
  const name = localText(category, 'name', lang)
  return (
    <Link className="tile" to={paths.category} params={{ category: category.slug }}>
      <CategoryPicture category={category} sizes="(max-width: 767px) 56px, 96px" alt="" eager />
      <span className="tile-name" lang={scriptLang(name, lang)}>
        {name}
      </span>
    </Link>
  )
}

export function CategoryTileSkeletons({ tiles }: { tiles: number }) {
  return (
    <ul className="tiles" aria-hidden="true">
      {Array.from({ length: tiles }, (_, tile) => tile).map((tile) => (
        <li key={tile}>
          <span className="tile">
            <span className="picture skeleton" />
            <span className="tile-name skeleton" />
          </span>
        </li>
      ))}
    </ul>
  )
}
