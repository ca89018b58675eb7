import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BuyableProductGrid } from '@/features/cart/buyable-product-grid'
import { CartLink } from '@/features/cart/cart-link'
import { cartStore } from '@/features/cart/cart-store'
import { flyToCart } from '@/features/cart/fly-to-cart'
import { aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'

const flights = vi.fn<(keyframes: Keyframe[]) => void>()
let arrive = () => {}

beforeEach(() => {
  cartStore.clear()
  // Loading takes no time here, however busy the machine is.
  vi.spyOn(performance, 'now').mockReturnValue(10_000)
  flights.mockReset()
  vi.spyOn(Element.prototype, 'animate').mockImplementation(function (this: Element, keyframes) {
    flights(keyframes as Keyframe[])
    const finished = new Promise<void>((resolve) => {
      arrive = resolve
    })
    return { finished } as unknown as Animation
  })
  placeOnScreen({
    '.cart-link': new DOMRect(300, 10, 40, 40),
    'li:first-child .picture': new DOMRect(20, 400, 150, 120),
    'li:last-child .picture': new DOMRect(120, 400, 150, 120),
  })
})

afterEach(() => {
  for (const copy of copies()) copy.remove()
})

/** happy-dom has no layout: everything else has no size. */
function placeOnScreen(boxes: Record<string, DOMRect>) {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const [, box] = Object.entries(boxes).find(([selector]) => this.matches(selector)) ?? []
    return box ?? new DOMRect()
  })
}

const copies = () => document.querySelectorAll('body > .picture')

const open = () =>
  renderInShop(
    <>
      <CartLink />
      <BuyableProductGrid products={[aProduct(), aProduct({ id: 'p-ghee', name: 'Ghee' })]} />
    </>,
  )

const addButtons = () => screen.findAllByRole('button', { name: 'Add to Cart' })

/** Lets the second product fly. Whatever was tapped before has flown when this returns. */
async function flyLast(user: ReturnType<typeof userEvent.setup>) {
  await user.click((await addButtons()).at(-1) as HTMLElement)
  // From the middle of its picture (195, 460) to the middle of the link (320, 30).
  const ends = () => flights.mock.calls.map(([keyframes]) => keyframes.at(-1)?.transform)
  await waitFor(() => expect(ends()).toContainEqual(expect.stringContaining('translate(125px, -430px)')))
}

test('the first tap lets the picture fly to the cart, above the page and without the focus', async () => {
  const user = userEvent.setup()
  await open()

  await user.click((await addButtons())[0] as HTMLElement)
  await waitFor(() => expect(flights).toHaveBeenCalledOnce())

  // From the middle of the picture (95, 460) to the middle of the link (320, 30).
  expect(flights.mock.lastCall?.[0].at(-1)?.transform).toContain('translate(225px, -430px)')
  const [copy] = copies()
  expect(copy).toHaveStyle({ position: 'fixed', pointerEvents: 'none', left: '20px', top: '400px' })
  expect(copy).toHaveAttribute('aria-hidden', 'true')
  const more = screen.getByRole('button', { name: 'Increase Mustard Oil' })
  expect(more).toHaveFocus()

  arrive()
  await waitFor(() => expect(copies()).toHaveLength(0))
  await user.click(more)
  await flyLast(user)
  expect(flights).toHaveBeenCalledTimes(2)
})

test('nothing flies with reduced motion, nor if the cart is full', async () => {
  const user = userEvent.setup()
  const setting = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  await open()
  await user.click((await addButtons())[0] as HTMLElement)
  expect(cartStore.read()).toEqual({ 'p-oil': 1 })

  setting.mockRestore()
  act(() => cartStore.clear())
  const full = vi.spyOn(cartStore, 'add').mockReturnValue(0)
  await user.click((await addButtons())[0] as HTMLElement)

  full.mockRestore()
  await flyLast(user)
  expect(flights).toHaveBeenCalledOnce()
})

test('nothing flies to a cart that is scrolled away, nor long after the tap', async () => {
  await open()
  const picture = document.querySelector('.picture')
  if (!picture) throw new Error('the card has no picture')

  await flyToCart(picture, performance.now() - 2000)
  placeOnScreen({ '.cart-link': new DOMRect(300, -60, 40, 40), '.picture': new DOMRect(20, 400, 150, 120) })
  await flyToCart(picture, performance.now())
  expect(flights).not.toHaveBeenCalled()

  placeOnScreen({ '.cart-link': new DOMRect(300, 10, 40, 40), '.picture': new DOMRect(20, 400, 150, 120) })
  void flyToCart(picture, performance.now())
  await waitFor(() => expect(flights).toHaveBeenCalledOnce())
  arrive()
  await waitFor(() => expect(copies()).toHaveLength(0))
})
