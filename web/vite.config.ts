import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compiledMessages } from './build/compiled-messages.ts'
import { earlyScript } from './build/early-script.ts'
import { headOrder } from './build/head-order.ts'
import { devPlaceholders } from './build/placeholders.ts'
import { serviceWorker } from './build/service-worker.ts'

const server = `http://127.0.0.1:${process.env.SHOP_PORT ?? '8080'}`

// What every list has, of products as of orders.
const LIST = /src\/ui\/(load-state|more-button)\./
// A product's picture and its − quantity +: on the shelves and in the cart.
const PIECE =
  /src\/(lib\/piece-words|locales\/en\.json\?part=piece|features\/(media\/(picture|plate)|catalogue\/(product-picture|item-picture)|cart\/add-to-cart)\.)/
const SHELF =
  /src\/(lib\/shelf-words|locales\/en\.json\?part=shelf|features\/catalogue\/(product-(card|grid)|category-picture|category-tile|highlight|price|stock)|features\/cart\/shelf)/

// What the newsletter's form alone needs, and what forms that one must not leave by accident do, travels with them.
const VENDOR = /node_modules\/(?!.*(mutationObserver|useMutation|useBlocker)\.)/

// What the shell and every page use. Left alone, it would be cut into several files along who imports what.
const CORE =
  /src\/(app\/(?!keep-offline|offline-bar|use-reached)|pages\/storefront\/not-found-page|lib\/(?!phone|bikram|dates|fragment|kept|nepali|typed|(?:ad|bar|news|offline|piece|seller|shelf)-words)|api\/(?!upload|server-text)|locales\/en\.json$|ui\/(announcer|dialog|icons|language-switch|lazy-part|logo|page-title|state-panel|toast|toaster)\.|features\/(accounts\/(account-corner|auth-dialog|session)|cart\/(cart-link|cart-store|use-cart-sync)|catalogue\/(api|suggestions))\.)/

// What every page needs that does something for a signed-in person.
const PERSON = /src\/(ui\/use-busy|features\/accounts\/person)\./
// What the person's screens have in common, what their forms have, and what the two forms with a photo have.
const PEOPLE =
  /src\/(ui\/icons-forms\.|api\/server-text\.|features\/accounts\/(api|avatar|google)\.|styles\/people)/
const FORMS = /src\/(ui\/(confirm-dialog|error-summary|field|submit-button)\.|styles\/forms)/
const PHOTO = /src\/(api\/upload|features\/(accounts\/photo-api|media\/(photo-field|shrink))\.)/

// What every list of orders needs at once, the shopper's as the seller's, and what an opened order has.
const ORDERS =
  /src\/features\/orders\/(api|day|order-search|status|use-(linked-order|live-orders|order-list))\./
const ORDER =
  /src\/(lib\/dates-moment|features\/orders\/(buy-again|change-api|order-(details|late|parts|payment)|payment-words|put-order|thumbs|to-wallet))\./
// The seller's desk itself, and what its pages about orders and money share.
const DESK =
  /src\/(lib\/seller-words|pages\/seller\/seller-pages|features\/(seller\/(?!seller-(?:audit|devices|first-password|paged|password|security))|orders\/seller-(ended|open-cases))|ui\/(icons-seller|use-address)|styles\/seller\.)/
const DESK_ORDERS = /src\/(features\/orders\/seller-(attention|days|payment-words)|styles\/money)/
// What the lists of products and of categories share.
const DESK_SHELVES =
  /src\/features\/catalogue\/seller-(export|failure|numbers|products-api|row-dialogs|shelf-table)\./

export default defineConfig({
  plugins: [
    compiledMessages(),
    react(),
    tailwindcss(),
    devPlaceholders(),
    headOrder(),
    earlyScript(),
    serviceWorker(),
  ],
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
            { name: 'loader', test: /preload-helper|rolldown|src\/lib\/retry-load/, priority: 10 },
            // Libraries change seldom: a release of ours leaves this file in people's caches.
            { name: 'vendor', test: VENDOR },
            { name: 'core', test: CORE },
            { name: 'person', test: PERSON },
            { name: 'people', test: PEOPLE },
            { name: 'forms', test: FORMS },
            { name: 'photo', test: PHOTO },
            { name: 'list', test: LIST },
            { name: 'orders', test: ORDERS },
            { name: 'order', test: ORDER },
            { name: 'desk', test: DESK },
            { name: 'desk-shelves', test: DESK_SHELVES },
            { name: 'desk-orders', test: DESK_ORDERS },
            { name: 'piece', test: PIECE },
            // Nearly every page shows products; one file packs better than a dozen crumbs.
            { name: 'shelf', test: SHELF },
          ],
        },
      },
    },
  },
})
