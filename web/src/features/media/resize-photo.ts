const LONGEST_SIDE = 1600
const MAX_BYTES = 1024 * 1024
const JPEG_QUALITY = 0.85

/** The size to which a photo is reduced: cameras make 4 to 12 MB, far more than needed, and mobile data costs money. */
export function resizedSize(
  bytes: number,
  width: number,
  height: number,
): { width: number; height: number } | null {
  const longest = Math.max(width, height)
  if (bytes <= MAX_BYTES && longest <= LONGEST_SIDE) return null
  const scale = Math.min(1, LONGEST_SIDE / longest)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * Resizes a photo for the upload. A file that this browser cannot read is sent as it is, because the server checks it
 * anyway.
 */
export async function resizePhoto(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file)
    const size = resizedSize(file.size, picture.width, picture.height)
    const small = size && (await redraw(picture, size))
    picture.close()
    return small && small.size < file.size ? small : file
  } catch {
    return file
  }
}

async function redraw(picture: ImageBitmap, size: { width: number; height: number }): Promise<Blob | null> {
  const canvas = Object.assign(document.createElement('canvas'), size)
  const pen = canvas.getContext('2d')
  if (!pen) return null
  // JPEG has no transparency; without a background transparent parts would turn black.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, size.width, size.height)
  pen.drawImage(picture, 0, 0, size.width, size.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
}
