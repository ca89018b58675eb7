import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

/** The source text of each file, by its path under `src`. */
export type Files = Record<string, string>

const SRC = join(import.meta.dirname, '..')

/** Every source file of the app, without its tests and their helpers. */
export function appFiles(): Files {
  return Object.fromEntries(
    readdirSync(SRC, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && /\.tsx?$/.test(file.name) && !/\.test\.tsx?$/.test(file.name))
      .map((file) => relative(SRC, join(file.parentPath, file.name)))
      .filter((path) => !path.startsWith('test/'))
      .map((path) => [path, readFileSync(join(SRC, path), 'utf8')]),
  )
}

export type Import = {
  /** The imported path under `src`, as it is written: usually without its extension. */
  target: string
  kind: 'static' | 'type' | 'dynamic'
}

/** Everything that a file imports from the app, by alias or by relative path; re-exports count as imports. */
export function importsOf(source: string, path: string): Import[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const found = [
    ...find(code, /\b(?:import|export)\s+(?!type\b)[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g, 'static'),
    ...find(code, /\bimport\s*['"]([^'"]+)['"]/g, 'static'),
    ...find(code, /\b(?:import|export)\s+type\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g, 'type'),
    ...find(code, /\btypeof import\s*\(\s*['"`]([^'"`]+)['"`]/g, 'type'),
    ...find(code, /(?<!typeof )\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g, 'dynamic'),
  ]
  return found.flatMap(({ target, kind }) => {
    if (target.startsWith('@/')) return [{ target: target.slice(2), kind }]
    if (target.startsWith('.')) return [{ target: normalize(join(dirname(path), target)), kind }]
    return []
  })
}

const find = (code: string, pattern: RegExp, kind: Import['kind']) =>
  [...code.matchAll(pattern)].map(([, target = '']) => ({ target, kind }))

/** The file that an import leads to, if it is one of `files`: styles and data are not. */
export const fileOf = (target: string, files: Files): string | undefined =>
  [target, `${target}.ts`, `${target}.tsx`].find((path) => path in files)
