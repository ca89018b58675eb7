import { useRef, useState } from 'react'
import type { Schemas } from '@/api/client'
import { errorText } from '@/features/catalogue/seller/error-text'
import { productsApi } from '@/features/catalogue/seller/product-mutations'
import { pictureProblem } from '@/features/media/picture-problem'
import type { MessageId, RawText } from '@/lib/i18n'

type Picture = Schemas['Picture']
type Text = MessageId | RawText
/** A further picture of a product: one that is stored, or a file that is being sent or was refused. */
export type MorePicture = { id: string; file?: File; picture?: Picture; failed?: Text | undefined }

/** The server allows eight with the main one. */
export const MAX_MORE_PICTURES = 7

/** A picture of the form could not be uploaded, so that the product was not saved. */
export class UploadsFailed extends Error {}

const toItem = (picture: Picture): MorePicture => ({ id: picture.key, picture })

type WithPicture = { image?: string | null; imageSet?: string | null }

/** The main picture of a product with its key, which is a part of its address. */
export function mainPicture({ image, imageSet }: WithPicture): Picture | undefined {
  // /media/{key}/{width}.webp
  const key = image?.split('/')[2]
  return image && key ? { key, image, imageSet: imageSet ?? '' } : undefined
}
const keysOf = (pictures: Picture[]) => pictures.map(({ key }) => key).join()

/**
 * The further pictures of a product's form. Each file is sent as soon as it is chosen, one after the other, so that
 * saving only names them.
 */
export function useMorePictures(start: Picture[]) {
  const [items, setItems] = useState(() => start.map(toItem))
  /** A further picture that becomes the main one when the form is saved. */
  const [main, setMain] = useState<Picture | null>(null)
  /** The current list, which also the uploads read that began earlier. */
  const latest = useRef(items)
  const queue = useRef(Promise.resolve())
  const number = useRef(0)
  const change = (next: MorePicture[]) => {
    latest.current = next
    setItems(next)
  }
  const update = (id: string, part: Partial<MorePicture>) =>
    change(latest.current.map((item) => (item.id === id ? { ...item, ...part } : item)))

  const send = (id: string, file: File) => {
    update(id, { failed: undefined })
    queue.current = queue.current.then(async () => {
      if (!latest.current.some((item) => item.id === id)) return
      try {
        const picture = await productsApi.uploadPicture(file)
        const isThere = latest.current.some((item) => item.picture?.key === picture.key)
        if (isThere) change(latest.current.filter((item) => item.id !== id))
        else update(id, { picture })
      } catch (error) {
        update(id, { failed: errorText(error) })
      }
    })
  }

  const nextId = () => {
    number.current += 1
    return `new-${number.current}`
  }

  return {
    items,
    main,
    reset: (pictures: Picture[]) => {
      setMain(null)
      change(pictures.map(toItem))
    },
    add: (file: File) => {
      if (latest.current.length >= MAX_MORE_PICTURES) return
      const id = nextId()
      const problem = pictureProblem(file)
      change([...latest.current, { id, file, ...(problem ? { failed: `photo.${problem}` } : {}) }])
      if (!problem) send(id, file)
    },
    /** Makes this picture the main one; the one that was shown as the main one until now takes its place. */
    makeMain: ({ id, picture }: MorePicture, before: Picture | File | undefined) => {
      if (!picture) return
      const item = before instanceof File ? { id: nextId(), file: before } : before && toItem(before)
      setMain(picture)
      change(latest.current.flatMap((other) => (other.id === id ? (item ?? []) : other)))
      if (item && 'file' in item) send(item.id, item.file)
    },
    retry: ({ id, file }: MorePicture) => file && send(id, file),
    remove: (id: string) => change(latest.current.filter((item) => item.id !== id)),
    move: (id: string, by: 1 | -1) => {
      const from = latest.current.findIndex((item) => item.id === id)
      const to = from + by
      const next = [...latest.current]
      const [moved] = next.splice(from, 1)
      if (!moved || to < 0 || to > next.length) return
      next.splice(to, 0, moved)
      change(next)
    },
    /** Whether the form differs from these pictures. */
    isChanged: (pictures: Picture[]) =>
      main !== null ||
      items.some(({ picture }) => !picture) ||
      keysOf(items.flatMap(({ picture }) => picture ?? [])) !== keysOf(pictures),
    /**
     * Waits for the uploads and returns the field for the server, which makes the first one the main picture if the
     * product has none.
     */
    field: async (first: Picture | null): Promise<string> => {
      await queue.current
      if (latest.current.some(({ picture }) => !picture)) throw new UploadsFailed()
      return keysOf([...(first ? [first] : []), ...latest.current.flatMap(({ picture }) => picture ?? [])])
    },
  }
}
