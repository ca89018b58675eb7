/** The two interface languages. English is the source and always the default. */
export type Lang = 'en' | 'ne'

export type Settings = {
  brand: string
  brandNe: string
  contact: { phone: string; email: string; address: string; addressNe: string }
  social: { name: string; url: string }[]
  tagline: string
  taglineNe: string
  /** Whether an identity provider is configured; without one the button is not shown. */
  googleSignIn: boolean
  /** The key that browsers subscribe to web push with; without one nothing about notifications is shown. */
  pushKey?: string
  /** Whether codes can be sent by SMS. */
  phoneSignIn?: boolean
  /** The shop's fees in rupees and its tax in per cent; a shop without VAT does not mention tax. */
  rates: {
    shippingFee: number
    freeShippingAbove: number
    taxRate: number
    vatRegistered: boolean
    pricesIncludeTax?: boolean
    /** How much more than the estimate weighed goods cost at most; left out if it is 10 %. */
    weightTolerance?: number
  }
  /** A product with at most this many units is low in stock. */
  lowStock: number
  /** The maximum number of different products in a cart. */
  cartLines: number
  /** The symbol before prices on the seller's order list. */
  sellerPriceSymbol: string
  /** The available wallets; if there are none, only cash is offered. */
  onlinePayment: string[]
  banners: { title: string; titleNe: string; text: string; textNe: string; href: string }[]
  registrationNumber: string
  panNumber: string
  /** The contact for complaints. */
  grievance: { name: string; phone: string; email: string }
  deliveryPromise: string
  deliveryPromiseNe: string
  /** The season of the home page; left out if there is none. */
  season?: Season
}

/** A festival or a time of the year that the hero shows until it ends. */
export type Season = {
  theme: string
  title: string
  titleNe: string
  text: string
  textNe: string
  endsAt: string
}

type FirstData = { lang?: Lang; settings?: Partial<Settings>; responses?: Record<string, unknown> }

/** A response that came with the page counts as fresh for this long after the page was opened. */
const FIRST_RESPONSES_MS = 60_000

/** Used when no server filled in the page (Vite's dev server, unit tests). */
const DEFAULT_SETTINGS: Settings = {
  brand: 'Thunse',
  brandNe: 'थुन्से',
  contact: { phone: '', email: '', address: '', addressNe: '' },
  social: [],
  tagline: 'Nepali groceries and essentials, to your door.',
  taglineNe: 'नेपाली किराना र आवश्यक सामान, तपाईंको ढोकामै।',
  googleSignIn: false,
  rates: { shippingFee: 20, freeShippingAbove: 1000, taxRate: 13, vatRegistered: true },
  lowStock: 10,
  cartLines: 100,
  sellerPriceSymbol: '$',
  onlinePayment: ['Khalti'],
  banners: [],
  registrationNumber: '',
  panNumber: '',
  grievance: { name: '', phone: '', email: '' },
  deliveryPromise: '',
  deliveryPromiseNe: '',
}

function readFirstData(): FirstData {
  const text = document.getElementById('first-data')?.textContent
  if (!text) return {}
  try {
    return JSON.parse(text) as FirstData
  } catch {
    return {}
  }
}

const firstData = readFirstData()
const responseMap = new Map(Object.entries(firstData.responses ?? {}))

export const settings: Settings = { ...DEFAULT_SETTINGS, ...firstData.settings }
export const firstLang: Lang | undefined = firstData.lang

/** Returns each response once: after that the query cache owns it, and a refetch goes to the server. */
export function takeFirstResponse(pathAndQuery: string): unknown {
  const answer = responseMap.get(pathAndQuery)
  responseMap.delete(pathAndQuery)
  // A page from the device's cache may be older than the responses that are cached there.
  const fromDevice = !navigator.onLine && navigator.serviceWorker?.controller
  return performance.now() < FIRST_RESPONSES_MS && !fromDevice ? answer : undefined
}
