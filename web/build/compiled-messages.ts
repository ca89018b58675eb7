import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/**
 * Messages that are fetched with the screens that use them (`en.json?part=account`), chosen by how their ids begin. All
 * others are in every visitor's first download.
 */
const PARTS: Record<string, RegExp> = {
  about: /^about\./,
  ad: /^ad\./,
  // How far the cart is from free shipping: shown on the bar at the foot of a page, and in the cart.
  freeShipping: /^cart\.(?:bar$|free|items$|progress$)/,
  // The − quantity + of a product.
  stepper: /^cart\.(?:decrease|full|increase|toast\.(?:added|removed))$/,
  // The cart page and the cart that is saved on the server; what the header says of the cart is in the first download.
  cart: /^(?:cart\.(?!announce$|browse$|link$|view$)|order\.checking$|paymentMethod\.)/,
  // What only an opened order shows, and the messages about placing one.
  orderDetails:
    /^(?:order\.|orders\.(?:address|again|cancel|cod$|confirmBy|cop|delivery|items|keep|noMore|pay|shipping|subtotal|tax|timeline|total|tracking))/,
  orders: /^(?:orders|status)\./,
  // The page that the wallet redirects to.
  payment: /^payment\./,
  // The bar under the header that tells of a lost connection or a new version.
  offline: /^(?:offline\.(?:back|prices)$|update\.)/,
  // The page that the service worker holds ready; no other file uses these messages.
  offlinePage: /^offlinePage\./,
  account:
    /^(?:(?:account|address|auth|cancelEmail|confirmEmail|data|devices|form|identities|logout|password|photo|place|profile|resetPassword)\.|nav\.(?:profile|myOrders|logout)$)/,
  newsletter: /^(?:newsletter|offers)\./,
  catalogue:
    /^(?:(?:category|home|unit)\.|categories\.(?!failed$|error$)|product\.(?!onlyAvailable$)|products\.(?!clear$|failed$|error$|loadMore$))/,
  // The seller's pages about payments: what needs attention, and the money report.
  sellerPayments: /^seller\.(?:cases|money)\./,
  // The seller's pages about products and categories; only the import page needs those about imports.
  sellerCatalogue: /^seller\.(?:categories|products)\./,
  sellerImports: /^seller\.imports\./,
  // The seller's tools for many orders and for their delivery.
  sellerOrders: /^seller\.(?:delivery|packingSlip|orders\.(?:bulk|select|shortcuts))\./,
  // The seller's pages about the shop itself.
  sellerShop: /^seller\.(?:audit|newsletter|overview|security|settings)\./,
  // Everything else of the seller dashboard; this one must be the last, because its prefix covers those above.
  seller: /^seller\./,
}

/**
 * Turns `src/locales/*.json` from ICU text into Lingui's compiled form while bundling, so that no message parser travels to
 * the shopper's phone. The files on disk stay plain text: translators edit them and the server reads them too.
 */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      const [, lang, part] = id.match(/\/src\/locales\/(\w+)\.json(?:\?part=(\w+))?$/) ?? []
      if (!lang) return undefined
      const messages = JSON.parse(code) as Record<string, string>
      const compiled = Object.fromEntries(
        Object.entries(messages)
          .filter(([key]) => partInLanguage(lang, key) === part)
          .map(([key, text]) => [key, replaceCounts(compileMessage(text))]),
      )
      const json = JSON.stringify(compiled)
      // With a query behind its name the file is no JSON any more to the bundler.
      return part === undefined
        ? { code: json, map: null }
        : { code: `export default ${json}`, map: null, moduleType: 'js' }
    },
  }
}

/** The part that a message travels in; none for those that everybody gets. */
export function partOf(key: string): string | undefined {
  return Object.keys(PARTS).find((part) => PARTS[part]?.test(key))
}

/**
 * Parts of the pages people land on. In English they are in those pages' own files (lib/catalogue-messages.ts and the like), so that
 * a first page waits for no further one; Nepali, which is one more file anyway, has them in its first.
 */
const BUNDLED = ['ad', 'catalogue', 'freeShipping', 'newsletter', 'offline', 'stepper']

function partInLanguage(lang: string, key: string): string | undefined {
  const part = partOf(key)
  return lang === 'ne' && part && BUNDLED.includes(part) ? undefined : part
}

type Tokens = ReturnType<typeof compileMessage>

/**
 * Replaces the `#` of a plural by a text argument (`n` becomes `nText`), which `t` fills with our own digits. Left alone,
 * `#` would go through Intl's Nepali number data, which Chromium does not carry: it prints Latin digits.
 */
function replaceCounts(tokens: Tokens, counted?: string): Tokens {
  return tokens.map((token) => {
    if (token === '#' && counted) return [`${counted}Text`]
    if (!Array.isArray(token) || typeof token[2] !== 'object' || token[2] === null) return token
    const [name, kind, branches] = token
    const spelled = Object.entries(branches as Record<string, Tokens | string>).map(([branch, inner]) => [
      branch,
      Array.isArray(inner) ? replaceCounts(inner, name) : inner,
    ])
    return [name, kind, Object.fromEntries(spelled)]
  }) as Tokens
}
