import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const WEB = new URL('../', import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, WEB))
const text = (name: string) => readFile(new URL(name, WEB), 'utf8')

type Lang = 'en' | 'ne'

const MESSAGES = '../data/messages'
const messageFile = (part: string, lang: Lang) => `${MESSAGES}/web/${part}.${lang}.json`

/** Needed when the connection is lost, with everything that it loads later. */
const OFFLINE_BAR = 'src/app/offline-bar.tsx'

/**
 * The shopping pages only: a phone on a metered connection pays for every prefetched file. The seller dashboard and the
 * account pages do not work offline, so they are not included.
 */
const PAGES = ['home', 'products', 'categories', 'category', 'product', 'cart', 'offers', 'about'].map(
  (name) => `pages/storefront/${name}-page`,
)
const AHEAD = [
  'index.html',
  'src/main.tsx',
  OFFLINE_BAR,
  ...PAGES.map((page) => `src/${page}.tsx`),
  'src/features/cart/cart-bar.tsx',
  'src/features/media/drawing/subject-drawing.tsx',
]

/** The messages of these pages; those of the shell are in `src/main.tsx` and `src/lib/nepali.ts`. */
async function messagesAhead(lang: Lang): Promise<string[]> {
  const parts = JSON.parse(await text(`${MESSAGES}/parts.json`)) as Record<string, string[]>
  return [...new Set(PAGES.flatMap((page) => parts[page] ?? []))].map((part) => messageFile(part, lang))
}

/** 70 KB that only readers of Nepali need, and the pictures on drawings; they are cached when they are first used. */
const ON_USE = /noto-deva|\.webp$/

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
  const fonts = all.flatMap(({ assets = [] }) => assets).filter((file) => !ON_USE.test(file))
  return [...new Set([...files, ...fonts])].map((file) => `/${file}`)
}

/** The page for a device that has not cached the requested one, with its messages and styles inlined. */
async function offlinePage(style: string): Promise<string> {
  const messages = {
    en: JSON.parse(await text(messageFile('offline-page', 'en'))) as Record<string, string>,
    ne: JSON.parse(await text(messageFile('offline-page', 'ne'))) as Record<string, string>,
  }
  const mark = (await text('public/favicon.svg')).replace('<svg ', '<svg class="state-art" ')
  const filled = (await text('sw/offline-page.html'))
    .replace('{{ style }}', style)
    .replace('{{ mark }}', mark.trim())
    .replace(/{{ (en|ne) ([\w.]+) }}/g, (place, lang: Lang, id: string) => messages[lang][id] ?? place)
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
      const files = filesOf(manifest, [
        ...AHEAD,
        ...(manifest[OFFLINE_BAR]?.dynamicImports ?? []),
        ...(await messagesAhead('en')),
      ])
      const nepali = filesOf(manifest, ['src/lib/nepali.ts', ...(await messagesAhead('ne'))])
      const [, early] = (await text('dist/index.html')).match(/<script src="(.+?)"/) ?? []
      if (!early) throw new Error('index.html has no early script.')
      files.push(early)
      const built = {
        entry: `/${manifest['index.html']?.file}`,
        files,
        nepali: nepali.filter((file) => !files.includes(file)),
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
