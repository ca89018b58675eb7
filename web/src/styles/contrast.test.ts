import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const css = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

// The plain sRGB block of tokens.css; the OKLCH block below it repeats the same colours.
const tokens = Object.fromEntries(
  [...css('tokens.css').matchAll(/--(\w+):\s*(#[0-9a-f]{3,6})\b/g)].map(([, name, hex]) => [name, hex]),
)

function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const ratio = (text: string, ground: string) => contrast(tokens[text] ?? '', tokens[ground] ?? '')

describe('colours people can read', () => {
  test.each([
    ['n900', 'n0'],
    ['n900', 'n25'],
    ['n600', 'n0'],
    ['n600', 'n50'],
    ['n600', 'n100'],
    ['n700', 'n50'],
    ['p700', 'n0'],
    ['n0', 'p700'],
    ['n0', 'p800'],
    ['p100', 'p800'],
    ['n950', 'm400'],
    ['p900', 'p50'],
    ['p900', 'p100'],
    ['r700', 'n0'],
    ['r700', 'p50'],
    ['n0', 'r600'],
    ['r800', 'r100'],
    ['m800', 'm100'],
    ['g800', 'g100'],
    ['b700', 'b100'],
    ['n0', 'n900'],
    ['n700', 'p50'],
    ['n900', 'm50'],
    ['n900', 'm200'],
  ])('%s on %s is text', (text, ground) => {
    expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  test.each([
    ['m600', 'n0'],
    ['n500', 'n0'],
    ['p600', 'n0'],
    ['p900', 'n0'],
    ['m300', 'p900'],
    ['m300', 'p800'],
    ['p600', 'n100'],
    ['m300', 'p600'],
  ])('%s on %s is a visible sign', (sign, ground) => {
    expect(ratio(sign, ground)).toBeGreaterThanOrEqual(3)
  })

  test('n500 on n0 stays banned as text', () => {
    expect(ratio('n500', 'n0')).toBeLessThan(4.5)
  })

  test('no style sheet spells a banned pair as text', () => {
    const sheets = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.css'))
    expect(sheets.length).toBeGreaterThan(20)
    for (const sheet of sheets) {
      const text = css(sheet).replace(/\.icon \{[^}]*\}/g, '')
      expect(text, sheet).not.toMatch(/[^-]color: var\(--(n500|n400)\)/)
    }
  })
})

test('every season has a colour on which its texts can be read', () => {
  const season = (name: string) =>
    css('tokens.css').match(new RegExp(`--${name}:\\s*(#[0-9a-f]{6})`))?.[1] ?? ''
  const themes = [...css('home.css').matchAll(/data-season="(\w+)"/g)].map(([, theme]) => theme ?? '')
  expect(themes.toSorted()).toEqual(
    readdirSync(join(import.meta.dirname, '../../public/seasons'))
      .map((name) => name.replace('.svg', ''))
      .toSorted(),
  )
  for (const theme of themes) {
    const ground = season(`season-${theme.replace('_', '-')}`)
    expect(contrast('#ffffff', ground), theme).toBeGreaterThanOrEqual(7)
    expect(contrast(season('on-season-soft'), ground), theme).toBeGreaterThanOrEqual(7)
  }
})
