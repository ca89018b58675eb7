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
const keysOf = (pictures: Picture[]) => pictures.map(({ key }) => key).join()

/**
 * The further pictures of a product's form. Each file is sent as soon as it is chosen, one after the other, so that
 * saving only names them.
 */
export function useMorePictures(start: Picture[]) {
  const [items, setItems] = useState(() => start.map(toItem))
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

  return {
    items,
    reset: (pictures: Picture[]) => change(pictures.map(toItem)),
    add: (file: File) => {
      if (latest.current.length >= MAX_MORE_PICTURES) return
      number.current += 1
      const id = `new-${number.current}`
      const problem = pictureProblem(file)
      change([...latest.current, { id, file, ...(problem ? { failed: `photo.${problem}` } : {}) }])
      if (!problem) send(id, file)
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
      items.some(({ picture }) => !picture) ||
      keysOf(items.flatMap(({ picture }) => picture ?? [])) !== keysOf(pictures),
    /** Waits for the uploads and returns the field for the server. */
    field: async (): Promise<string> => {
      await queue.current
      if (latest.current.some(({ picture }) => !picture)) throw new UploadsFailed()
      return keysOf(latest.current.flatMap(({ picture }) => picture ?? []))
    },
  }
}
