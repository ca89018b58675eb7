import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const WEB = new URL('../', import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, WEB))
const text = (name: string) => readFile(new URL(name, WEB), 'utf8')

const page = (name: string) => `src/pages/storefront/${name}-page.tsx`
const messages = (lang: string, part: string) => `src/locales/${lang}.json?part=${part}`

/** Needed when the connection is lost, with everything that it loads later. */
const OFFLINE_BAR = 'src/app/offline-bar.tsx'

/**
 * The shopping pages only: a phone on a metered connection pays for every prefetched file. The seller dashboard and the
 * account pages do not work offline, so they are not included.
 */
const AHEAD = [
  'index.html',
  'src/main.tsx',
  OFFLINE_BAR,
  ...['home', 'products', 'categories', 'category', 'product', 'cart', 'offers', 'about'].map(page),
  'src/features/cart/cart-bar.tsx',
  messages('en', 'cart'),
  messages('en', 'about'),
]
const NEPALI = ['src/lib/nepali.ts', messages('ne', 'cart'), messages('ne', 'about')]
/** 70 KB that only readers of Nepali need; it is cached when it is first used. */
const NEPALI_FONT = /noto-deva/

type Chunk = {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}
type Manifest = Record<string, Chunk>

/** Every file of these modules without duplicates, style sheets first. */
function filesOf(manifest: Manifest, names: string[]): string[] {
  const chunks = new Set<Chunk>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk)
      throw new Error(`The service worker is to fetch ${name} ahead, but the build has no such file.`)
    if (chunks.has(chunk)) return
    chunks.add(chunk)
    for (const needed of chunk.imports ?? []) visit(needed)
  }
  for (const name of names) visit(name)
  const all = [...chunks]
  const files = [...all.flatMap(({ css = [] }) => css), ...all.map(({ file }) => file)]
  const fonts = all.flatMap(({ assets = [] }) => assets).filter((file) => !NEPALI_FONT.test(file))
  return [...new Set([...files, ...fonts])].map((file) => `/${file}`)
}

/** The page for a device that has not cached the requested one, with its messages and styles inlined. */
async function offlinePage(style: string): Promise<string> {
  const said = {
    en: JSON.parse(await text('src/locales/en.json')) as Record<string, string>,
    ne: JSON.parse(await text('src/locales/ne.json')) as Record<string, string>,
  }
  const mark = (await text('public/favicon.svg')).replace('<svg ', '<svg class="state-art" ')
  const filled = (await text('sw/offline-page.html'))
    .replace('{{ style }}', style)
    .replace('{{ mark }}', mark.trim())
    .replace(/{{ (en|ne) ([\w.]+) }}/g, (place, lang: 'en' | 'ne', id: string) => said[lang][id] ?? place)
  const [empty] = filled.match(/{{.*?}}/) ?? []
  if (empty) throw new Error(`sw/offline-page.html: nothing fills ${empty}.`)
  return filled.replace(/<!-- .*? -->|\n\s*/g, '')
}

/** Builds `sw/sw.ts` as `/sw.js` after everything else, because it contains the names of the built files. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async closeBundle() {
      const manifest = JSON.parse(await text('dist/.vite/manifest.json')) as Manifest
      const files = filesOf(manifest, [...AHEAD, ...(manifest[OFFLINE_BAR]?.dynamicImports ?? [])])
      const [, early] = (await text('dist/index.html')).match(/<script src="(.+?)"/) ?? []
      if (!early) throw new Error('index.html has no early script.')
      files.push(early)
      const built = {
        entry: `/${manifest['index.html']?.file}`,
        files,
        nepali: filesOf(manifest, NEPALI).filter((file) => !files.includes(file)),
        offlinePage: await offlinePage(files[0] ?? ''),
      }
      await build({
        configFile: false,
        root: path('.'),
        logLevel: 'warn',
        define: { BUILT: JSON.stringify(built) },
        build: {
          outDir: path('dist'),
          emptyOutDir: false,
          copyPublicDir: false,
          reportCompressedSize: false,
          rolldownOptions: { input: path('sw/sw.ts'), output: { format: 'iife', entryFileNames: 'sw.js' } },
        },
      })
    },
  }
}
