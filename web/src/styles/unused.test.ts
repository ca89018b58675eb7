import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '../..')
const read = (pattern: string) =>
  globSync(pattern, { cwd: WEB })
    .filter((path) => !path.includes('.test.'))
    .map((path) => readFileSync(join(WEB, path), 'utf8'))
    .join('\n')

const css = read('src/styles/*.css').replace(/\/\*.*?\*\//gs, '')
const sources = read('src/**/*.{ts,tsx}') + read('first-view/*.html')

const namesOf = (pattern: RegExp, text: string) => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? '')),
]

test('every class has an element', () => {
  const selectors = css.replace(/@import[^;]*;|\{[^{}]*\}/g, ' ')
  const words = new Set(sources.match(/[\w-]+/g))
  // Of `status-${variant}` and tone-{{ tone(seed) }} only the beginning is known.
  const beginnings = namesOf(/([\w-]+-)(?:\$\{|\{\{)/g, sources)

  const classes = namesOf(/\.([a-z][\w-]*)/g, selectors)
  const unused = classes.filter(
    (name) => !words.has(name) && !beginnings.some((each) => name.startsWith(each)),
  )

  expect(classes.length).toBeGreaterThan(400)
  expect(unused).toEqual([])
})

test('every token has a use', () => {
  const used = new Set(namesOf(/var\((--[\w-]+)/g, css))

  const tokens = namesOf(/(--[\w-]+):/g, css)
  const unused = tokens.filter((name) => !used.has(name))

  expect(tokens.length).toBeGreaterThan(100)
  expect(unused).toEqual([])
  expect([...used].filter((name) => !tokens.includes(name))).toEqual([])
})
