import { afterEach, expect, test, vi } from 'vitest'
import { reloadKeepingInput, restoreInput } from '@/lib/restore-input'

const FORM = `
  <form>
    <input name="street"><input name="street"><textarea name="note"></textarea>
    <select name="ward"><option></option><option>1</option><option>2</option></select>
    <input name="password" type="password">
  </form>`
const field = (selector: string) => document.querySelector(selector) as HTMLInputElement

afterEach(() => {
  document.body.innerHTML = ''
  sessionStorage.clear()
  vi.restoreAllMocks()
})

function typeAndReload() {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  document.body.innerHTML = FORM
  field('input:nth-of-type(2)').value = 'Baneshwor'
  field('textarea').value = 'Call first'
  field('select').value = '2'
  field('[type=password]').value = 'momo-2083'
  reloadKeepingInput()
  expect(reload).toHaveBeenCalledOnce()
}

test('what was typed is there again after the reload, as if it had been typed, but no password is', () => {
  typeAndReload()
  expect(JSON.stringify(sessionStorage)).not.toContain('momo')
  document.body.innerHTML = FORM
  const heard: string[] = []
  document.body.addEventListener('input', ({ target }) => heard.push((target as HTMLInputElement).value))
  restoreInput()
  expect(field('input').value).toBe('')
  expect(field('input:nth-of-type(2)').value).toBe('Baneshwor')
  expect(field('textarea').value).toBe('Call first')
  expect(field('select').value).toBe('2')
  expect(field('[type=password]').value).toBe('')
  expect(heard).toEqual(['Baneshwor', 'Call first'])
})

test('a form that is drawn later is filled when it is there, and only once', async () => {
  typeAndReload()
  document.body.innerHTML = '<p>Loading</p>'
  restoreInput()
  document.body.innerHTML = FORM
  await vi.waitFor(() => expect(field('textarea').value).toBe('Call first'), { timeout: 25_000 })
  document.body.innerHTML = FORM
  restoreInput()
  expect(field('textarea').value).toBe('')
})
