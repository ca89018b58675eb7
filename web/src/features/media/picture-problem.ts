export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const MAX_BYTES = 10 * 1024 * 1024

/** Checks a file before it is sent: on a phone ten megabytes cost time and money. */
export function pictureProblem(file: File): 'type' | 'size' | null {
  if (!PICTURE_TYPES.includes(file.type)) return 'type'
  return file.size > MAX_BYTES ? 'size' : null
}
