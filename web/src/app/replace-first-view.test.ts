import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import '@/early-taps'
import { preserveFirstViewInput } from '@/app/replace-first-view'

const VIEW = '<input id="site-search" type="text" value="rice">'

let root: HTMLElement
const field = (selector: string) => root.querySelector<HTMLInputElement>(selector) as HTMLInputElement

beforeEach(() => {
  document.body.innerHTML = `<div id="root">${VIEW}</div>`
  root = document.getElementById('root') as HTMLElement
})
afterEach(() => {
  document.body.innerHTML = ''
})

test('what was typed into the first view, and the focus, go over to the app', async () => {
  const takeOver = preserveFirstViewInput(root)
  field('#site-search').value = 'rice basmati'
  field('#site-search').focus()
  const heard: string[] = []
  root.innerHTML = VIEW
  await Promise.resolve()
  root.addEventListener('input', (event) => heard.push((event.target as HTMLInputElement).value))
  takeOver()
  expect(field('#site-search').value).toBe('rice basmati')
  expect(heard).toEqual(['rice basmati'])
  expect(document.activeElement).toBe(field('#site-search'))
})

test('untouched fields are left to the app, and nothing steals the focus', async () => {
  const takeOver = preserveFirstViewInput(root)
  field('#site-search').focus()
  field('#site-search').blur()
  await Promise.resolve()
  root.innerHTML = VIEW.replace('rice', 'dal')
  takeOver()
  expect(field('#site-search').value).toBe('dal')
  expect(document.activeElement).toBe(document.body)
})

const CARDS = ['rice', 'dal', 'ghee']
  .map(
    (name) =>
      `<article><a href="/product/x/${name}">${name}</a><div class="card-foot"><button class="add">Add to Cart</button></div></article>`,
  )
  .join('')
const HEADER =
  '<button class="login-button">Login</button><button class="icon-button" aria-disabled="true">Menu</button>'
const IN_CART =
  '<div class="stepper"><button aria-label="less">-</button><button aria-label="more">+</button></div>'

/** Presses buttons in the first view, lets React replace it, and returns what was pressed in React's view. */
async function pressEarly(press: () => void, after = HEADER + CARDS) {
  window.earlyTaps = []
  root.innerHTML = HEADER + CARDS
  const takeOver = preserveFirstViewInput(root)
  press()
  root.innerHTML = after
  const pressed: string[] = []
  root.addEventListener('click', ({ target }) => {
    const button = target as HTMLElement
    pressed.push(
      `${button.closest('article')?.querySelector('a')?.textContent ?? ''} ${button.textContent}`.trim(),
    )
  })
  vi.useFakeTimers()
  takeOver()
  await vi.runAllTimersAsync()
  vi.useRealTimers()
  return pressed
}

test('what was pressed in the first view is shown as pressed, and pressed again in the app, once and in order', async () => {
  const add = () => root.querySelectorAll<HTMLButtonElement>('.add')
  const pressed = await pressEarly(() => {
    add()[2]?.click()
    add()[2]?.click()
    add()[1]?.click()
    field('.login-button').click()
    field('.icon-button').click()
    expect([...add()].map((button) => button.getAttribute('aria-busy'))).toEqual([null, 'true', 'true'])
  })
  expect(pressed).toEqual(['ghee Add to Cart', 'dal Add to Cart', 'Login'])
})

test('an early press on something that is in the cart already adds one more', async () => {
  const after = CARDS.replace('<button class="add">Add to Cart</button>', IN_CART)
  expect(await pressEarly(() => field('.add').click(), after)).toEqual(['rice +'])
})

const NEWSLETTER =
  '<form method="post"><input id="newsletter-email" type="email"><button type="submit" class="button">Subscribe</button></form>'

test('a form that was sent in the first view is filled in and sent again in the app, once', async () => {
  const send = () =>
    field('form').dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
  window.earlyTaps = []
  root.innerHTML = HEADER + NEWSLETTER
  const takeOver = preserveFirstViewInput(root)
  field('#newsletter-email').value = 'sita@example.com'
  expect(send(), 'the browser leaves the page').toBe(false)
  expect(send(), 'the browser leaves the page').toBe(false)
  expect(field('.button').getAttribute('aria-busy')).toBe('true')
  root.innerHTML = HEADER + NEWSLETTER
  const sent: string[] = []
  field('.button').addEventListener('click', () => sent.push(field('#newsletter-email').value))
  vi.useFakeTimers()
  takeOver()
  await vi.runAllTimersAsync()
  vi.useRealTimers()
  expect(sent).toEqual(['sita@example.com'])
})

test('a search in the first view is left to the browser', () => {
  window.earlyTaps = []
  root.innerHTML = '<form role="search" action="/products"><button type="submit">Search</button></form>'
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true })
  field('form').dispatchEvent(event)
  expect(event.defaultPrevented).toBe(false)
  expect(window.earlyTaps).toEqual([])
})

test('a press whose button is gone is dropped, and later presses are not remembered', async () => {
  expect(await pressEarly(() => field('.login-button').click(), IN_CART + CARDS)).toEqual([])
  field('.add').click()
  expect(window.earlyTaps).toBeUndefined()
  expect(field('.add').getAttribute('aria-busy')).toBeNull()
})
