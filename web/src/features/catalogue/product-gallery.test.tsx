import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ProductGallery } from '@/features/catalogue/product-gallery'
import { aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'

const picture = (key: string) => ({
  key,
  image: `/media/${key}-320-640/640.webp`,
  imageSet: `/media/${key}-320-640/320.webp 320w, /media/${key}-320-640/640.webp 640w`,
})
const MAIN = { image: '/media/aa-320/320.webp', imageSet: '/media/aa-320/320.webp 320w' }
const AT = '/product/oil-ghee/p-oil'

async function openGallery(moreImages = [picture('bb'), picture('cc')]) {
  const product = aProduct({ ...MAIN, moreImages })
  const shop = await renderInShop(<ProductGallery product={product} />, { at: AT })
  return { ...shop, user: userEvent.setup() }
}
const slide = (n: number) => screen.findByRole('button', { name: `Enlarge picture ${n}` })
/** The browser lays out and scrolls; this DOM does neither. */
function scrollTrack(track: Element | null, left: number) {
  if (!track) throw new Error('there is no track')
  Object.defineProperty(track, 'clientWidth', { value: 320, configurable: true })
  track.scrollLeft = left
  fireEvent.scroll(track)
}
const thumb = (n: number) => screen.findByRole('button', { name: `Show picture ${n}` })

test('a product with one picture has no thumbnails, and its picture opens in full size', async () => {
  const { user } = await openGallery([])
  await user.click(await slide(1))
  const dialog = within(await screen.findByRole('dialog', { name: 'Picture' }))
  expect(screen.queryByRole('group')).toBeNull()
  expect(dialog.getByRole('img')).toHaveAttribute('src', MAIN.image)
  expect(dialog.queryByRole('button', { name: 'Next picture' })).toBeNull()
})

test('a product without a picture shows its drawing, which does not open', async () => {
  await renderInShop(<ProductGallery product={aProduct({ image: null })} />, { at: AT })
  expect(document.querySelector('.picture')).not.toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})

test('only one picture at a time takes the focus, and the arrow keys go on to the next', async () => {
  const { user } = await openGallery()
  await thumb(3)
  const [first, second] = [await slide(1), await slide(2)]
  act(() => first.focus())
  await user.keyboard('{ArrowRight}')
  expect(second).toHaveFocus()
  expect(first).toHaveAttribute('tabindex', '-1')
  expect(await thumb(2)).toHaveAttribute('aria-current', 'true')
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  expect(await slide(3)).toHaveFocus()
  await user.keyboard('{ArrowLeft}')
  expect(second).toHaveFocus()
})

test('a thumbnail shows its picture, and a swipe marks its thumbnail', async () => {
  const { user, container } = await openGallery()
  await user.click(await thumb(2))
  expect(await thumb(2)).toHaveAttribute('aria-current', 'true')
  scrollTrack(container.querySelector('.gallery-track'), 640)
  expect(await thumb(3)).toHaveAttribute('aria-current', 'true')
  expect(screen.getByText('Picture 3 of 3')).toBeInTheDocument()
})

test('a smooth scroll does not go back to the pictures that it passes, until a finger ends it', async () => {
  const { user, container } = await openGallery()
  const track = container.querySelector('.gallery-track') as HTMLElement
  scrollTrack(track, 0)
  // This DOM would be there at once.
  track.scrollTo = () => {}
  await user.click(await thumb(3))
  scrollTrack(track, 320)
  expect(await thumb(3)).toHaveAttribute('aria-current', 'true')
  fireEvent(track, new PointerEvent('pointerdown', { pointerType: 'mouse' }))
  scrollTrack(track, 325)
  expect(await thumb(3)).toHaveAttribute('aria-current', 'true')
  fireEvent(track, new PointerEvent('pointerdown', { pointerType: 'touch' }))
  scrollTrack(track, 330)
  expect(await thumb(2)).toHaveAttribute('aria-current', 'true')
})

test('a picture that is enlarged while the pictures scroll to it stays enlarged', async () => {
  const { user } = await openGallery()
  await user.click(await slide(1))
  const dialog = await screen.findByRole('dialog')
  const track = dialog.querySelector('.zoom-track') as HTMLElement
  scrollTrack(track, 0)
  track.scrollTo = () => {}
  await user.keyboard('{ArrowRight}')
  const zoom = within(dialog).getByRole('button', { name: 'Zoom' })
  await user.click(zoom)
  for (const left of [10, 300, 320]) scrollTrack(track, left)
  expect(zoom).toHaveAttribute('aria-pressed', 'true')
  const shown = dialog.querySelectorAll<HTMLElement>('.zoom-slide')[1]
  expect(shown?.style.getPropertyValue('--zoom')).toBe('2.5')
})

test('Escape closes the enlarged picture and gives the focus back', async () => {
  const { user } = await openGallery()
  await user.click(await slide(2))
  const dialog = await screen.findByRole('dialog', { name: 'Picture 2 of 3' })
  fireEvent(dialog, new Event('cancel', { cancelable: true }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await slide(2)).toHaveFocus()
})

test('Back closes the enlarged picture, and the page shows the one that was looked at last', async () => {
  const { user, router } = await openGallery()
  await user.click(await slide(1))
  const dialog = within(await screen.findByRole('dialog', { name: 'Picture 1 of 3' }))
  await user.click(dialog.getByRole('button', { name: 'Next picture' }))
  expect(screen.getByRole('dialog', { name: 'Picture 2 of 3' })).toBeInTheDocument()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('dialog', { name: 'Picture 3 of 3' })).toBeInTheDocument()
  act(() => router.history.back())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await slide(3)).toHaveFocus()
  expect(await thumb(3)).toHaveAttribute('aria-current', 'true')
})

test('the button, a click and a double tap zoom, and the next picture begins unzoomed', async () => {
  const { user } = await openGallery()
  await user.click(await slide(1))
  const dialog = await screen.findByRole('dialog')
  const zoom = within(dialog).getByRole('button', { name: 'Zoom' })
  const shown = () => dialog.querySelectorAll<HTMLElement>('.zoom-slide')[0] as HTMLElement
  const scale = () => shown().style.getPropertyValue('--zoom')

  await user.click(zoom)
  expect(zoom).toHaveAttribute('aria-pressed', 'true')
  expect(scale()).toBe('2.5')
  await user.keyboard('-')
  expect(scale()).toBe('1')

  const press = (pointerType: string, timeStamp = 0) => {
    const event = new PointerEvent('click', { bubbles: true, pointerType, clientX: 10, clientY: 10 })
    fireEvent(shown(), Object.defineProperty(event, 'timeStamp', { value: timeStamp }))
  }
  press('mouse')
  expect(scale()).toBe('2.5')
  press('mouse')
  press('touch', 1_000)
  expect(scale(), 'one tap').toBe('1')
  press('touch', 1_400)
  expect(scale(), 'two slow taps').toBe('1')
  press('touch', 1_600)
  expect(scale()).toBe('2.5')

  await user.click(within(dialog).getByRole('button', { name: 'Next picture' }))
  expect(scale()).toBe('1')
  expect(zoom).toHaveAttribute('aria-pressed', 'false')
})

test('two fingers zoom up to four times, and the browser does not zoom the page', async () => {
  const { user } = await openGallery()
  await user.click(await slide(1))
  const shown = (await screen.findByRole('dialog')).querySelector('.zoom-slide') as HTMLElement
  const move = (distance: number) => {
    const touches = [0, distance].map((clientX) => ({ target: shown, clientX, clientY: 0 }))
    const event = Object.assign(new Event('touchmove', { bubbles: true, cancelable: true }), { touches })
    fireEvent(shown, event)
    return event
  }
  expect(move(100).defaultPrevented).toBe(true)
  move(200)
  expect(shown.style.getPropertyValue('--zoom')).toBe('2')
  move(900)
  expect(shown.style.getPropertyValue('--zoom')).toBe('4')
  fireEvent(shown, Object.assign(new Event('touchend', { bubbles: true }), { touches: [] }))
  expect(screen.getByRole('button', { name: 'Zoom' })).toHaveAttribute('aria-pressed', 'true')
})

test('only the neighbours of the enlarged picture are downloaded', async () => {
  const { user } = await openGallery(['bb', 'cc', 'dd', 'ee'].map(picture))
  await user.click(await slide(1))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getAllByRole('img').map((img) => img.getAttribute('alt'))).toEqual(['Picture 1', 'Picture 2'])
  await user.click(dialog.getByRole('button', { name: 'Next picture' }))
  expect(dialog.getAllByRole('img')).toHaveLength(3)
})
