import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchFirstView } from '@/app/take-over'

const VIEW = `
  <input id="site-search" type="text" value="rice">
  <form class="newsletter-form"><input name="email" type="email"></form>`

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
  const takeOver = watchFirstView(root)
  field('#site-search').value = 'rice basmati'
  field('.newsletter-form input').focus()
  field('.newsletter-form input').value = 'sita@exa'
  const heard: string[] = []
  root.innerHTML = VIEW
  await Promise.resolve()
  root.addEventListener('input', (event) => heard.push((event.target as HTMLInputElement).value))
  takeOver()
  expect(field('#site-search').value).toBe('rice basmati')
  expect(field('.newsletter-form input').value).toBe('sita@exa')
  expect(heard).toEqual(['rice basmati', 'sita@exa'])
  expect(document.activeElement).toBe(field('.newsletter-form input'))
})

test('untouched fields are left to the app, and nothing steals the focus', async () => {
  const takeOver = watchFirstView(root)
  field('#site-search').focus()
  field('#site-search').blur()
  await Promise.resolve()
  root.innerHTML = VIEW.replace('rice', 'dal')
  takeOver()
  expect(field('#site-search').value).toBe('dal')
  expect(document.activeElement).toBe(document.body)
})
