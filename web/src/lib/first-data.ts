/** The two interface languages. English is the source and always the default. */
export type Lang = 'en' | 'ne'

export type Settings = {
  brand: string
  brandNe: string
  contact: { phone: string; email: string; address: string; addressNe: string }
  social: { name: string; url: string }[]
  tagline: string
  taglineNe: string
  /** Whether an identity provider is set up; without one there is no button. */
  googleSignIn: boolean
  /** What the shop charges beside the goods, in rupees and per cent; a shop without VAT says nothing of tax. */
  rates: { shippingFee: number; freeShippingAbove: number; taxRate: number; vatRegistered: boolean }
  /** Up to this many units a product counts as low in stock. */
  lowStock: number
  /** Different products that a cart takes. */
  cartLines: number
  /** What stands before prices on the seller's order list. */
  sellerPriceSymbol: string
  /** The wallets one can pay with; without any there is only cash. */
  onlinePayment: string[]
  banners: { title: string; titleNe: string; text: string; textNe: string; href: string }[]
  registrationNumber: string
  panNumber: string
  /** Whom one turns to with a complaint. */
  grievance: { name: string; phone: string; email: string }
  deliveryPromise: string
  deliveryPromiseNe: string
}

type FirstData = { lang?: Lang; settings?: Partial<Settings>; responses?: Record<string, unknown> }

/** An answer that came with the page counts as fresh for this long after the page was opened. */
const FIRST_RESPONSES_MS = 60_000

/** Stands in when no server filled the page (Vite's own server, unit tests). */
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

/** Each answer is handed out once: after that the query cache owns it, and asking again means asking the server. */
export function takeFirstResponse(pathAndQuery: string): unknown {
  const answer = responseMap.get(pathAndQuery)
  responseMap.delete(pathAndQuery)
  // A page that comes from the device may be older than the answers that are kept there.
  const fromDevice = !navigator.onLine && navigator.serviceWorker?.controller
  return performance.now() < FIRST_RESPONSES_MS && !fromDevice ? answer : undefined
}
