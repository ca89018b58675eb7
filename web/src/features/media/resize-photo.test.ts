import { expect, test, vi } from 'vitest'
import { resizedSize, resizePhoto } from '@/features/media/resize-photo'

const MB = 1024 * 1024

test.each([
  ['a small picture stays', 0.5 * MB, 800, 600, null],
  ['exactly at both limits it stays', MB, 1600, 1600, null],
  ['a wide one is scaled by its longest side', 0.5 * MB, 3200, 1000, { width: 1600, height: 500 }],
  ['a tall one too', 5 * MB, 1500, 4000, { width: 600, height: 1600 }],
  ['a heavy one is packed anew in its own size', 3 * MB, 1200, 900, { width: 1200, height: 900 }],
  ['a thread keeps at least one pixel', 2 * MB, 16000, 1, { width: 1600, height: 1 }],
])('%s', (_what, bytes, width, height, size) => {
  expect(resizedSize(bytes, width, height)).toEqual(size)
})

test('what the browser cannot read goes as it is', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('unknown format')))
  const file = new File(['x'], 'a.heic', { type: 'image/heic' })
  expect(await resizePhoto(file)).toBe(file)
})

test('a small photo is sent untouched', async () => {
  const close = vi.fn()
  vi.stubGlobal('createImageBitmap', async () => ({ width: 300, height: 200, close }))
  const file = new File(['x'], 'a.png', { type: 'image/png' })
  expect(await resizePhoto(file)).toBe(file)
  expect(close).toHaveBeenCalled()
})

test('a large photo is drawn at most 1600 pixels wide and sent as JPEG', async () => {
  const drawn = vi.fn()
  vi.stubGlobal('createImageBitmap', async () => ({ width: 4000, height: 3000, close: () => {} }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    fillRect: () => {},
    drawImage: drawn,
  } as never)
  const packed = vi
    .spyOn(HTMLCanvasElement.prototype, 'toBlob')
    .mockImplementation((done) => done(new Blob(['s'], { type: 'image/jpeg' })))
  const sent = await resizePhoto(new File(['a long photo'], 'a.jpg', { type: 'image/jpeg' }))
  expect(sent.type).toBe('image/jpeg')
  expect(sent.size).toBe(1)
  expect(drawn.mock.calls[0]?.slice(1)).toEqual([0, 0, 1600, 1200])
  expect(packed.mock.calls[0]?.slice(1)).toEqual(['image/jpeg', 0.85])
})
