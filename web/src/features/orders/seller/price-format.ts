import { type Lang, settings } from '@/lib/first-data'
import { formatAmount, toPaisa } from '@/lib/money'

/** Prices on the seller's list stand behind a sign of the shop's choosing; a sign made of letters keeps its distance. */
export function formatSellerPrice(rupees: number, lang: Lang, symbol = settings.sellerPriceSymbol): string {
  const gap = /[\p{L}\p{M}.]$/u.test(symbol) ? '\u00a0' : ''
  return `${symbol}${gap}${formatAmount(toPaisa(rupees), lang, 'always')}`
}
