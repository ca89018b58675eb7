import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compiledMessages } from './build/compiled-messages.ts'
import { headOrder } from './build/head-order.ts'
import { devPlaceholders } from './build/placeholders.ts'

const server = `http://127.0.0.1:${process.env.SHOP_PORT ?? '8080'}`

const SHELF =
  /src\/(features\/media\/|features\/catalogue\/(product-|category-picture|category-tile|highlight|price|stock)|features\/cart\/(shelf|add-to-cart)|ui\/(load-state|more-button))/

// Only the newsletter form sends anything yet; what serves it alone travels with it.
const VENDOR = /node_modules\/(?!.*(mutationObserver|useMutation)\.)/

// What the shell and every page use. Left alone, it would be cut into several files along who imports what.
const CORE = /src\/(lib\/|api\/|locales\/en|ui\/(announcer|icons|logo|page-title|state-panel|toast)\.)/

export default defineConfig({
  plugins: [compiledMessages(), react(), tailwindcss(), devPlaceholders(), headOrder()],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      // React has had useSyncExternalStore since 18: the stand-in for older ones need not travel.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  json: { namedExports: false },
  server: { proxy: { '/api': server, '/media': server } },
  build: {
    manifest: true,
    // The content security policy allows no data: addresses, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // What the first script needs to fetch the rest; it must not pull the rest in with it.
            { name: 'loader', test: /preload-helper|rolldown/, priority: 10 },
            // Libraries change seldom: a release of ours leaves this file in people's caches.
            { name: 'vendor', test: VENDOR },
            { name: 'core', test: CORE },
            // Nearly every page shows products; one file packs better than a dozen crumbs.
            { name: 'shelf', test: SHELF },
          ],
        },
      },
    },
  },
})
