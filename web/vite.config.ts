import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compiledMessages } from './build/compiled-messages.ts'
import { earlyScript } from './build/early-script.ts'
import { headOrder } from './build/head-order.ts'
import { devPlaceholders } from './build/placeholders.ts'
import { serviceWorker } from './build/service-worker.ts'

const server = `http://127.0.0.1:${process.env.SHOP_PORT ?? '8080'}`

// What every list has, of products and of orders.
const LIST = /src\/ui\/(load-state|load-more-button)\./
// A product's picture and its − quantity +: on product cards and in the cart.
const STEPPER =
  /src\/(lib\/stepper-messages|locales\/en\.json\?part=stepper|features\/(media\/(picture|picture-placeholder)|catalogue\/(product-picture|item-picture)|cart\/add-to-cart)\.)/
const CATALOGUE =
  /src\/(lib\/catalogue-messages|locales\/en\.json\?part=catalogue|features\/catalogue\/(product-(card|grid)|category-picture|category-tile|highlight|price|stock)|features\/cart\/buyable-product-grid)/

// What the newsletter's form alone needs, and what forms that one must not leave by accident do, travels with them.
const VENDOR = /node_modules\/(?!.*(mutationObserver|useMutation|useBlocker)\.)/

// What the shell and every page use. Left alone, it would be cut into several files along who imports what.
const CORE =
  /src\/(app\/(?!register-service-worker|offline-bar|use-server-reachable)|pages\/storefront\/not-found-page|lib\/(?!phone|bikram|dates|link-token|offline-cache|nepali|latin-digits|restore-input|(?:ad|catalogue|free-shipping|newsletter|offline|seller|stepper)-messages)|api\/(?!upload|server-text)|locales\/en\.json$|ui\/(announcer|dialog|icons|language-switch|lazy-with-retry|logo|page-title|state-panel|toast|toaster)\.|features\/(accounts\/(header-account|auth-dialog|session)|cart\/(cart-link|cart-store|use-cart-sync)|catalogue\/(api|suggestions))\.)/

// What every page needs that does something for a signed-in shopper.
const SIGNED_IN = /src\/(ui\/use-busy|features\/accounts\/sign-in-out)\./
// What the account screens have in common, what forms have, and what the two forms with a photo have.
const ACCOUNT =
  /src\/(ui\/icons-forms\.|api\/server-text\.|features\/accounts\/(api|avatar|google-sign-in)\.|styles\/account)/
const FORMS = /src\/(ui\/(confirm-dialog|error-summary|field|submit-button)\.|styles\/forms)/
const PHOTO = /src\/(api\/upload|features\/(accounts\/photo-api|media\/(photo-field|resize-photo))\.)/

// What every list of orders needs at once, the shopper's and the seller's, and what an opened order has.
const ORDERS =
  /src\/(ui\/search-field|features\/orders\/(api|day|status|use-(linked-order|live-orders|order-list)))\./
const ORDER =
  /src\/(lib\/dates-time|features\/orders\/(buy-again|lazy-order-parts|mutations|order-(details|parts|payment)|payment-messages|redirect-to-wallet|thumbs|update-order-in-lists))\./
// The seller dashboard itself, and what its pages about orders and money share.
const SELLER =
  /src\/(lib\/seller-messages|pages\/seller\/seller-pages|features\/(seller\/(?!audit|devices|first-password|searchable-pages|security)|orders\/seller\/open-cases)|ui\/(icons-seller|use-search-params)|styles\/seller\.)/
const SELLER_ORDERS =
  /src\/(features\/orders\/seller\/(order-cases|date-range|payment-messages)|styles\/seller-money)/
// What the lists of products and of categories share.
const SELLER_CATALOGUE =
  /src\/features\/catalogue\/seller\/(export-button|error-text|number-format|products-api|use-row-dialogs|catalogue-table)\./

export default defineConfig({
  plugins: [compiledMessages(), react(), devPlaceholders(), headOrder(), earlyScript(), serviceWorker()],
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
            { name: 'signed-in', test: SIGNED_IN },
            { name: 'account', test: ACCOUNT },
            { name: 'forms', test: FORMS },
            { name: 'photo', test: PHOTO },
            { name: 'list', test: LIST },
            { name: 'orders', test: ORDERS },
            { name: 'order', test: ORDER },
            { name: 'seller', test: SELLER },
            { name: 'seller-catalogue', test: SELLER_CATALOGUE },
            { name: 'seller-orders', test: SELLER_ORDERS },
            { name: 'stepper', test: STEPPER },
            // Nearly every page shows products; one file packs better than a dozen crumbs.
            { name: 'catalogue', test: CATALOGUE },
          ],
        },
      },
    },
  },
})
