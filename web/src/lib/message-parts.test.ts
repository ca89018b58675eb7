import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { appFiles, type Files, fileOf, importsOf } from '@/test/imports'
import { messageParts, readPart } from '@/test/messages'

type Parts = Record<string, string[]>

const SHELL = 'shell'
/** Read from disk: an import would return only the modules of the shop. */
const partsOfModules: Parts = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../data/messages/parts.json'), 'utf8'),
)
const files = appFiles()
const parts: Parts = Object.fromEntries(
  messageParts('en').map((part) => [part, Object.keys(readPart(part, 'en'))]),
)

/**
 * The messages that a module uses without loading them. Its code is the module itself and what it imports, except the
 * modules in `listed`, which load their own messages.
 */
function missing(module: string, loaded: string[], files: Files, parts: Parts, listed: Parts): string[] {
  const known = Object.values(parts).flat()
  const available = new Set([SHELL, ...loaded].flatMap((part) => parts[part] ?? []))
  return codeOf(module, files, listed).flatMap((path) =>
    idsIn(files[path] ?? '', known)
      .filter((id) => !available.has(id))
      .map((id) => `${path}: ${id}`),
  )
}

function codeOf(module: string, files: Files, listed: Parts): string[] {
  const found = new Set<string>()
  const visit = (target: string) => {
    const path = fileOf(target, files)
    if (path === undefined || found.has(path)) return
    found.add(path)
    for (const { target, kind } of importsOf(files[path] ?? '', path)) {
      if (kind === 'static' || (kind === 'dynamic' && !(target in listed))) visit(target)
    }
  }
  visit(module)
  return [...found]
}

/** The messages that the code names, also by a template such as `products.sort.${sort}`. */
function idsIn(source: string, known: string[]): string[] {
  const texts = new Set([...source.matchAll(/['"`]([\w.]+)['"`]/g)].map(([, text]) => text))
  const prefixes = [...source.matchAll(/`([\w.]+\.)\$\{/g)].map(([, prefix = '']) => prefix)
  return known.filter((id) => texts.has(id) || prefixes.some((prefix) => id.startsWith(prefix)))
}

describe('the messages of modules that load on demand', () => {
  test('the app itself needs only the shell', () => {
    expect(missing('main.tsx', [], files, parts, partsOfModules)).toEqual([])
  })

  test.each(Object.entries(partsOfModules))('%s loads every message that it uses', (module, loaded) => {
    expect(fileOf(module, files)).toBeDefined()
    expect(loaded.filter((part) => !(part in parts))).toEqual([])
    expect(missing(module, loaded, files, parts, partsOfModules)).toEqual([])
  })

  test.each(Object.entries(partsOfModules))('%s loads no part without need', (module, loaded) => {
    const code = codeOf(module, files, partsOfModules).map((path) => files[path])
    const used = idsIn(code.join('\n'), Object.values(parts).flat())
    expect(loaded.filter((part) => !parts[part]?.some((id) => used.includes(id)))).toEqual([])
  })

  test('every listed module is loaded with its own messages', () => {
    const source = Object.values(files).join('\n').replace(/\s+/g, ' ')
    const calls = source.matchAll(/(?:loadWithMessages|page)\( ?'([\w/-]+)', [^']*import\('@\/([\w/-]+)'\)/g)
    const pairs = [...calls].map(([, module, imported]) => [module, imported])
    expect(pairs.filter(([module, imported]) => module !== imported)).toEqual([])
    expect([...new Set(pairs.map(([module]) => module))].sort()).toEqual(Object.keys(partsOfModules).sort())
  })

  test('the type of all ids names every part', () => {
    const source = readFileSync(join(import.meta.dirname, 'message-id.ts'), 'utf8')
    const named = [...source.matchAll(/import type (\w+) from '@data\/messages\/web\/([\w-]+)\.en\.json'/g)]
    expect(named.map(([, , part]) => part).sort()).toEqual(Object.keys(parts).sort())
    for (const [, name] of named) expect(source).toContain(`typeof ${name}`)
  })
})

describe('the check finds a message that is not loaded', () => {
  const parts: Parts = {
    shell: ['retry'],
    cart: ['cart.title'],
    orders: ['orders.sort.day', 'orders.sort.total'],
  }
  const check = (files: Files, loaded: string[] = [], listed: Parts = {}) =>
    missing('pages/a', loaded, files, parts, listed)

  test('in the module itself, and only if its part is not loaded', () => {
    const files = { 'pages/a.tsx': `t('retry'); t('cart.title')` }
    expect(check(files)).toEqual(['pages/a.tsx: cart.title'])
    expect(check(files, ['cart'])).toEqual([])
  })

  test('in a file that the module imports, now or later', () => {
    for (const statement of [`import { b } from './b'`, `const b = () => import('@/pages/b')`]) {
      const files = { 'pages/a.tsx': statement, 'pages/b.ts': `export const b = 'cart.title'` }
      expect(check(files)).toEqual(['pages/b.ts: cart.title'])
    }
  })

  test('but not in a file that loads its own messages', () => {
    const files = { 'pages/a.tsx': `import('@/pages/b')`, 'pages/b.ts': `t('cart.title')` }
    expect(check(files, [], { 'pages/b': ['cart'] })).toEqual([])
  })

  test('in a template', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is source code
    expect(check({ 'pages/a.tsx': 't(`orders.sort.${sort}`)' })).toHaveLength(2)
  })
})
