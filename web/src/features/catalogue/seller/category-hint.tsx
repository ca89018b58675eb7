import { useQuery } from '@tanstack/react-query'
import { edits } from '@/features/catalogue/near-words'
import { sellerCategories } from '@/features/catalogue/seller/categories-api'
import { useT } from '@/lib/i18n'

/** Longer words count as the same if they differ by at most this share of their characters. */
const TOLERANCE = 0.34

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []

const isNear = (one: string, other: string) =>
  edits(one, other) / Math.max(one.length, other.length) <= TOLERANCE

/** The name that shares most of its words with the text; undefined if none shares any. */
export function nearestName(text: string, names: string[]): string | undefined {
  const typed = wordsOf(text)
  const score = (name: string) => {
    const words = wordsOf(name)
    const shared = words.filter((word) => typed.some((each) => isNear(each, word))).length
    return shared / Math.max(words.length, typed.length, 1)
  }
  const [best] = names
    .map((name) => ({ name, score: score(name) }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
  return best?.name
}

/** Suggests the category that a row of an import may mean. */
export function CategoryHint({ text }: { text: string }) {
  const t = useT()
  const { data } = useQuery({ ...sellerCategories(), meta: {} })
  const name =
    data &&
    nearestName(
      text,
      data.map((category) => category.name),
    )
  if (!name) return null
  return (
    <>
      {' '}
      {t('seller.imports.didYouMean')} <strong translate="no">{name}</strong>
    </>
  )
}
