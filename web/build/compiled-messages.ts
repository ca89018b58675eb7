import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/**
 * Messages that are loaded with the screens that use them (`en.json?part=account`), chosen by the prefix of their ids.
 * All others are in every visitor's first download.
 */
const PARTS: Record<string, RegExp> = {
  about: /^about\./,
  ad: /^ad\./,
  // The distance to free shipping, in the cart bar and in the cart.
  freeShipping: /^cart\.(?:bar$|free|items$|progress$)/,
  // The stepper (− quantity +) of a product.
  stepper: /^cart\.(?:decrease|full|increase|toast\.(?:added|removed))$/,
  // The cart page and the synced cart; the header's messages about the cart are in the first download.
  cart: /^(?:cart\.(?!announce$|browse$|link$|view$)|order\.checking$|paymentMethod\.)/,
  // What only an opened order shows, and the messages about placing one.
  orderDetails:
    /^(?:order\.|orders\.(?:address|again|cancel|cod$|confirmBy|cop|delivery|items|keep|noMore|pay|shipping|subtotal|tax|timeline|total|tracking))/,
  orders: /^(?:orders|status)\./,
  // The page that the wallet redirects to.
  payment: /^payment\./,
  // The bar under the header about a lost connection or a new version.
  offline: /^(?:offline\.(?:back|prices)$|update\.)/,
  // The offline page of the service worker; no other file uses these messages.
  offlinePage: /^offlinePage\./,
  account:
    /^(?:(?:account|address|auth|cancelEmail|confirmEmail|data|devices|form|identities|logout|password|photo|place|profile|resetPassword)\.|nav\.(?:profile|myOrders|logout)$)/,
  newsletter: /^(?:newsletter|offers)\./,
  catalogue:
    /^(?:(?:category|home|unit)\.|categories\.(?!failed$|error$)|product\.(?!onlyAvailable$)|products\.(?!clear$|failed$|error$|loadMore$))/,
  // The seller's pages about payments: cases and the money report.
  sellerPayments: /^seller\.(?:cases|money)\./,
  // The seller's pages about products and categories; the import page has its own part.
  sellerCatalogue: /^seller\.(?:categories|products)\./,
  sellerImports: /^seller\.imports\./,
  // The seller's tools for bulk changes and for deliveries.
  sellerOrders: /^seller\.(?:delivery|packingSlip|orders\.(?:bulk|select|shortcuts))\./,
  // The seller's pages about the shop itself.
  sellerShop: /^seller\.(?:audit|newsletter|overview|security|settings)\./,
  // Everything else of the seller dashboard; it must be last, because its prefix covers those above.
  seller: /^seller\./,
}

/**
 * Compiles `src/locales/*.json` from ICU text to Lingui's format while bundling, so that no message parser is sent to
 * the shopper. The files on disk stay plain text for the translators and for the server.
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
      // With a query in its name the bundler does not treat the file as JSON.
      return part === undefined
        ? { code: json, map: null }
        : { code: `export default ${json}`, map: null, moduleType: 'js' }
    },
  }
}

/** The part that contains a message; undefined for messages of the first download. */
export function partOf(key: string): string | undefined {
  return Object.keys(PARTS).find((part) => PARTS[part]?.test(key))
}

/**
 * Parts of the landing pages. In English they are bundled with those pages (lib/catalogue-messages.ts and others), so
 * that a first page needs no further file; Nepali, which is one more file anyway, contains them.
 */
const BUNDLED = ['ad', 'catalogue', 'freeShipping', 'newsletter', 'offline', 'stepper']

function partInLanguage(lang: string, key: string): string | undefined {
  const part = partOf(key)
  return lang === 'ne' && part && BUNDLED.includes(part) ? undefined : part
}

type Tokens = ReturnType<typeof compileMessage>

/**
 * Replaces the `#` of a plural by a text argument (`n` becomes `nText`), which `t` fills with our own digits. Otherwise
 * `#` would use Intl's Nepali number data, which Chromium lacks: it prints Latin digits.
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
