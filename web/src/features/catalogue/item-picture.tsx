import { Picture } from '@/features/media/picture'

type Item = {
  _id: string
  name: string
  nameNe?: string | null
  packLabel?: string | null
  packLabelNe?: string | null
  image?: string | null
  imageSet?: string | null
}

/**
 * The picture of an ordered item: a copy in the order, which outlives the product. The item's name is always beside it.
 */
export function ItemPicture({ item }: { item: Item }) {
  return (
    <Picture src={item.image} srcSet={item.imageSet} sizes="48px" alt="" seed={item._id} subject={item} />
  )
}
