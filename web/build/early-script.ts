import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const SOURCE = fileURLToPath(new URL('../src/early-taps.ts', import.meta.url))

/**
 * Puts `src/early-taps.ts` at the top of the head as a classic script: module scripts run after the first paint, and
 * the content security policy forbids inline scripts. It loads in parallel with the style sheet, which blocks the first
 * paint anyway.
 */
export function earlyScript(): Plugin {
  let file = ''
  return {
    name: 'early-script',
    apply: 'build',
    async buildStart() {
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          write: false,
          copyPublicDir: false,
          reportCompressedSize: false,
          rolldownOptions: { input: SOURCE, output: { format: 'iife' } },
        },
      })
      const [chunk] = 'output' in built ? built.output : []
      if (!chunk) throw new Error('src/early-taps.ts was not built.')
      file = `assets/early-taps-${createHash('sha256').update(chunk.code).digest('hex').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName: file, source: chunk.code })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace(
          /\s*<link rel="stylesheet"/,
          (style) => `\n    <script src="/${file}"></script>${style}`,
        ),
    },
  }
}
