import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compiledMessages } from './build/compiled-messages.ts'
import { earlyScript } from './build/early-script.ts'
import { headOrder } from './build/head-order.ts'
import { devPlaceholders } from './build/placeholders.ts'
import { serviceWorker } from './build/service-worker.ts'

/** `boot.ts` runs before the app is loaded, so nothing of the app may be in its file. */
const BOOT_MODULES = ['index.html', 'src/boot.ts', 'src/lib/retry-load.ts', 'preload-helper']
const isBootModule = (id: string) => BOOT_MODULES.some((name) => id.includes(name))

type Modules = { getModuleInfo: (id: string) => { importedIds: string[] } | null }

/** Whether a module or one of its imports has a style sheet: in a shared file, every page would load it. */
function hasStyles(id: string, modules: Modules, visited = new Set<string>()): boolean {
  if (id.endsWith('.css')) return true
  if (visited.has(id)) return false
  visited.add(id)
  return (modules.getModuleInfo(id)?.importedIds ?? []).some((next) => hasStyles(next, modules, visited))
}

const server = `http://127.0.0.1:${process.env.SHOP_PORT ?? '8080'}`

const isForStaff = (id: string) => /\/features\/staff\/|\/ui\/icons-seller\./.test(id)

export default defineConfig({
  plugins: [compiledMessages(), react(), devPlaceholders(), headOrder(), earlyScript(), serviceWorker()],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      '@data': fileURLToPath(new URL('../data', import.meta.url)),
      '@seed': fileURLToPath(new URL('../server/seed', import.meta.url)),
      // React has useSyncExternalStore since version 18, so the replacement for older versions is not needed.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  json: { namedExports: false },
  server: {
    proxy: { '/api': server, '/media': server },
    // The messages and the calendar are in `data`, beside this folder.
    fs: { allow: ['..'] },
  },
  build: {
    manifest: true,
    // The content security policy allows no data: addresses, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // `boot.ts` loads the app later; as an input of its own the app is bundled into one file.
      input: { index: 'index.html', main: 'src/main.tsx' },
      output: {
        // The bundler splits the app by its dynamic imports, which are the routes and the parts that load later.
        codeSplitting: {
          groups: [
            // The first script and what it needs to load the rest.
            { name: 'boot', test: isBootModule, priority: 3 },
            // Libraries change seldom, so a new release of the shop leaves this file in the browser's cache. The one for QR
            // codes is for sellers who set up a second factor, and loads with it.
            { name: 'vendor', test: /node_modules(?![\\/]qr[\\/])/, priority: 2 },
            // The layout, the router and everything else that every page needs.
            { name: 'main', tags: ['$initial'], priority: 1 },
            // Small modules that many pages share are in one file, instead of one file for each; shoppers do not load
            // those of the seller dashboard.
            {
              name: (id, modules) => (hasStyles(id, modules) || isForStaff(id) ? null : 'common'),
              minShareCount: 10,
            },
          ],
        },
      },
    },
  },
})
