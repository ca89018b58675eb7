import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { appFiles, type Files, fileOf, importsOf } from '@/test/imports'
import modules from '../../modules.json'

type Modules = Record<string, { uses: string[] }>

/**
 * The layers from the bottom up: a layer may use itself and those before it. `main.tsx` assembles the app, `boot.ts`
 * loads it, and `early-taps.ts` runs before all of them.
 */
const LAYERS = ['lib', 'ui', 'api', 'features', 'pages', 'app', 'main.tsx', 'boot.ts', 'early-taps.ts']
/** Folders without code of the shop: data, styles, and helpers of tests. */
const OUTSIDE = ['styles', 'assets', 'test']

/** Every import in `files` (path under src to source text) that `modules.json` does not allow. */
function violations(files: Files, allowed: Modules): string[] {
  const found: string[] = []
  for (const [path, source] of Object.entries(files)) {
    const from = place(path)
    if (from.layer === undefined) {
      found.push(`${path}: the folder is not on the map`)
      continue
    }
    if (from.module !== undefined && !(from.module in allowed)) {
      found.push(`${path}: the module '${from.module}' is not in modules.json`)
      continue
    }
    for (const { target } of importsOf(source, path)) {
      const to = place(target)
      const arrow = `${path} → ${target}`
      if (to.outside) continue
      if (to.layer === undefined) found.push(`${arrow}: leads to a folder that is not on the map`)
      else if (LAYERS.indexOf(to.layer) > LAYERS.indexOf(from.layer)) {
        found.push(`${arrow}: ${from.layer} may not use ${to.layer}`)
      } else if (
        from.module &&
        to.module &&
        from.module !== to.module &&
        !allowed[from.module]?.uses.includes(to.module)
      ) {
        found.push(`${arrow}: '${from.module}' may not use '${to.module}'`)
      }
    }
  }
  return found
}

function place(path: string): { layer?: string; module?: string; outside?: boolean } {
  const [layer = '', module] = path.split('/')
  if (OUTSIDE.includes(layer)) return { outside: true }
  if (!LAYERS.includes(layer)) return {}
  return layer === 'features' && module ? { layer, module } : { layer }
}

/** Every group of modules that import each other in a circle. Types and later imports are left out: they run nothing. */
function cycles(files: Files): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: string[]) => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (way.includes(path) || done.has(path)) return
    for (const { target, kind } of importsOf(files[path] ?? '', path)) {
      const next = kind === 'static' ? fileOf(target, files) : undefined
      if (next) visit(next, [...way, path])
    }
    done.add(path)
  }
  for (const path of Object.keys(files)) visit(path, [])
  return found
}

const shopFiles = (): Files =>
  Object.fromEntries(Object.entries(appFiles()).filter(([path]) => !place(path).outside))

test('every import of the shop follows the map', () => {
  const files = shopFiles()
  expect(Object.keys(files).length).toBeGreaterThan(40)
  expect(violations(files, modules.modules)).toEqual([])
})

test('no modules import each other in a circle', () => {
  expect(cycles(shopFiles())).toEqual([])
})

test('every module with a screen is a module of the shop', () => {
  const folders = readdirSync(join(import.meta.dirname, 'features'))
  for (const folder of folders) expect(Object.keys(modules.modules)).toContain(folder)
})

// spec: 7.all.2
test('no call of the shop has a time limit: only the question whether the server answers at all has one', () => {
  const limited = Object.entries(shopFiles())
    .filter(([, source]) => /AbortSignal\.(timeout|any)|AbortController|\.timeout\b/.test(source))
    .map(([path]) => path)
  expect(limited).toEqual(['app/use-server-reachable.ts'])
})

describe('the map is really held against the imports', () => {
  const map: Modules = { cart: { uses: ['catalogue'] }, catalogue: { uses: [] } }
  const check = (path: string, source: string) => violations({ [path]: source }, map)

  test('allowed arrows pass', () => {
    expect(check('features/cart/a.ts', `import { x } from '@/features/catalogue/b'`)).toEqual([])
    expect(check('features/cart/a.ts', `import { x } from './b'\nimport y from '@/ui/z'`)).toEqual([])
    expect(check('app/a.ts', `import('@/pages/storefront/home-page')`)).toEqual([])
    expect(check('ui/a.ts', `import { useState } from 'react'\nimport '@/styles/x.css'`)).toEqual([])
  })

  test.each([
    ['a plain import up the layers', 'ui/a.ts', `import { x } from '@/api/client'`],
    ['a type import', 'lib/a.ts', `import type { X } from '@/ui/b'`],
    ['a type inside braces', 'lib/a.ts', `import { type X, y } from '@/ui/b'`],
    ['a relative import', 'lib/deep/a.ts', `import { x } from '../../ui/b'`],
    ['a dynamic import', 'features/cart/a.ts', `const p = () => import('@/pages/storefront/cart-page')`],
    ['a re-export', 'ui/a.ts', `export { x } from '@/features/cart/b'`],
    ['an import for its effect', 'ui/a.ts', `import '@/api/query-client'`],
    ['an import over several lines', 'api/a.ts', `import {\n  x,\n  y,\n} from '@/features/cart/b'`],
    ['a module that was not named', 'features/catalogue/a.ts', `import { x } from '@/features/cart/b'`],
    ['a module reached sideways', 'features/catalogue/a.ts', `import { x } from '../cart/b'`],
    ['a folder nobody listed', 'utils/a.ts', ''],
    ['a module nobody listed', 'features/gossip/a.ts', ''],
    ['a way into an unlisted folder', 'app/a.ts', `import { x } from '@/helpers/b'`],
    ['the entry used as a library', 'app/a.ts', `import { x } from '@/main.tsx'`],
  ])('%s is reported', (_what, path, source) => {
    expect(check(path, source)).toHaveLength(1)
  })

  test('words in comments are no imports', () => {
    expect(check('lib/a.ts', `// import { x } from '@/ui/b'\n/* import '@/api/client' */`)).toEqual([])
  })
})

describe('a circle of imports', () => {
  test('is found, also through a third module or a re-export', () => {
    const files = {
      'lib/a.ts': `import { b } from '@/lib/b'`,
      'lib/b.ts': `export { c } from './c'`,
      'lib/c.tsx': `import { a } from '@/lib/a.ts'`,
      'lib/d.ts': `import { a } from '@/lib/a'`,
    }
    expect(cycles(files)).toEqual(['lib/a.ts → lib/b.ts → lib/c.tsx → lib/a.ts'])
    expect(cycles({ 'lib/a.ts': `import '@/lib/a'` })).toEqual(['lib/a.ts → lib/a.ts'])
  })

  test('is not made by two ways to one module, by types or by later imports', () => {
    const files = {
      'lib/a.ts': `import { b } from '@/lib/b'\nimport { c } from '@/lib/c'`,
      'lib/b.ts': `import { c } from '@/lib/c'\nimport type { A } from '@/lib/a'`,
      'lib/c.ts': `export const a = () => import('@/lib/a')`,
    }
    expect(cycles(files)).toEqual([])
  })
})
