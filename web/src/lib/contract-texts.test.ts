import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import texts from '@data/contract-texts.json'
import { describe, expect, test } from 'vitest'
import { readMessages, readTexts } from '@/test/messages'

/** `spec`: the specification gives the English text; `server`: the server uses the text too, in its responses. */
type Text = { key: string; en: string; ne: string; spec: boolean; server?: boolean }

const en = readMessages('en')
const ne = readMessages('ne')

const all: Text[] = texts
const promised = all.filter(({ spec }) => spec)

describe('the exact texts of the specification', () => {
  test('there are as many as it gives, each once', () => {
    expect(promised).toHaveLength(122)
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length)
  })

  // spec: 8.texts.1
  test.each(promised)("'$en' is said letter by letter, and in Nepali", ({ key, en: english, ne: nepali }) => {
    expect(en[key]).toBe(english)
    expect(ne[key]).toBe(nepali)
    expect(nepali).toMatch(/\p{Script=Devanagari}/u)
  })
})

test.each(all.filter(({ spec }) => !spec))("our own '$en' is the same wherever it is stored", (text) => {
  expect(en[text.key]).toBe(text.en)
  expect(ne[text.key]).toBe(text.ne)
})

describe('what the server says itself', () => {
  const messages = Object.values(readTexts('messages/server/en.json'))
  // Statuses are values of the API, not messages.
  const statuses = readFileSync(
    join(import.meta.dirname, '../../../server/src/orders/transition/state.rs'),
    'utf8',
  )

  // spec: 8.texts.1
  test.each(all.filter(({ server }) => server))("'$en' is the same sentence there", ({ en: english }) => {
    expect(messages.includes(english) || statuses.includes(`"${english}"`)).toBe(true)
  })
})
