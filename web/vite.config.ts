import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compiledMessages } from './build/compiled-messages.ts'
import { devPlaceholders } from './build/placeholders.ts'

const server = `http://127.0.0.1:${process.env.SHOP_PORT ?? '8080'}`

const SHELF =
  /src\/(features\/media\/|features\/catalogue\/(product-|category-picture|category-tile|highlight|price|stock)|features\/cart\/(shelf|add-to-cart)|ui\/(load-state|more-button))/

export default defineConfig({
  plugins: [compiledMessages(), react(), tailwindcss(), devPlaceholders()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
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
            // Libraries change seldom: a release of ours leaves this file in people's caches.
            { name: 'vendor', test: /node_modules/ },
            // Nearly every page shows products; one file packs better than a dozen crumbs.
            { name: 'shelf', test: SHELF },
          ],
        },
      },
    },
  },
})
