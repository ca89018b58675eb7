import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compiledMessages } from './build/compiled-messages.ts'
import { headOrder } from './build/head-order.ts'
import { devPlaceholders } from './build/placeholders.ts'

const server = `http://127.0.0.1:${process.env.SHOP_PORT ?? '8080'}`

const SHELF =
  /src\/(features\/media\/pl|features\/media\/picture|features\/catalogue\/(product-|category-picture|category-tile|highlight|price|stock)|features\/cart\/(shelf|add-to-cart)|ui\/(load-state|more-button))/

// Only the newsletter form sends anything yet; what serves it alone travels with it.
const VENDOR = /node_modules\/(?!.*(mutationObserver|useMutation)\.)/

// What the shell and every page use. Left alone, it would be cut into several files along who imports what.
const CORE =
  /src\/(lib\/(?!phone|dates|fragment)|api\/(?!upload)|locales\/en\.json$|ui\/(announcer|dialog|icons|lazy-part|logo|page-title|state-panel|toast)\.|features\/(accounts\/(account-corner|auth-dialog|session)|cart\/cart-store|catalogue\/api)\.)/

// What the person's screens have in common, what their forms have, and what the two forms with a photo have.
const PEOPLE =
  /src\/(lib\/dates|ui\/(icons-forms|use-busy)\.|features\/accounts\/(api|avatar|google|server-text)\.|styles\/people)/
const FORMS = /src\/(lib\/phone|ui\/(confirm-dialog|error-summary|field|submit-button)\.|styles\/forms)/
const PHOTO = /src\/(api\/upload|features\/(accounts\/photo-api|media\/(photo-field|shrink))\.)/

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
            { name: 'people', test: PEOPLE },
            { name: 'forms', test: FORMS },
            { name: 'photo', test: PHOTO },
            // Nearly every page shows products; one file packs better than a dozen crumbs.
            { name: 'shelf', test: SHELF },
          ],
        },
      },
    },
  },
})
