const FLIGHT_MS = 550
/** After this time the tap and the flight no longer seem to belong together. */
const LATEST_MS = 1500
/** The width of the picture when it arrives. */
const ARRIVAL_PX = 22

const isInView = ({ top, bottom, width }: DOMRect) => width > 0 && bottom > 0 && top < innerHeight

/** The bar at the bottom of a phone, or else the link in the header, unless it is scrolled away. */
function cartOnScreen(): DOMRect | undefined {
  const places = ['.cart-bar .button', '.cart-link'].map((selector) => document.querySelector(selector))
  return places.map((place) => place?.getBoundingClientRect()).find((box) => box && isInView(box))
}

/** Lets a copy of the picture fly to the cart. It floats above the page, so nothing moves or loses the focus. */
export async function flyToCart(picture: Element, tappedAt: number) {
  // The first thing in a cart brings its bar, which is the place to fly to.
  await import('@/features/cart/cart-bar')
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
  const from = picture.getBoundingClientRect()
  const to = cartOnScreen()
  if (!to || !isInView(from) || performance.now() - tappedAt > LATEST_MS) return

  const copy = picture.cloneNode(true) as HTMLElement
  copy.setAttribute('aria-hidden', 'true')
  Object.assign(copy.style, {
    position: 'fixed',
    zIndex: 'var(--z-toast)',
    top: `${from.top}px`,
    left: `${from.left}px`,
    width: `${from.width}px`,
    borderRadius: 'var(--r-lg)',
    pointerEvents: 'none',
  })
  document.body.append(copy)
  const x = to.left + to.width / 2 - from.left - from.width / 2
  const y = to.top + to.height / 2 - from.top - from.height / 2
  const flight = copy.animate(
    [
      { transform: 'none', opacity: 1, easing: 'ease-out' },
      {
        transform: `translate(${x * 0.12}px, ${y * 0.12 - 20}px) scale(0.7)`,
        opacity: 1,
        offset: 0.3,
        easing: 'ease-in',
      },
      { transform: `translate(${x}px, ${y}px) scale(${ARRIVAL_PX / from.width})`, opacity: 0.4 },
    ],
    FLIGHT_MS,
  )
  try {
    await flight.finished
  } finally {
    copy.remove()
  }
}
