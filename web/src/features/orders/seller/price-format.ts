import { type Lang, settings } from '@/lib/first-data'
import { formatAmount, toPaisa } from '@/lib/money'

/** Formats a price of the seller's list with the shop's symbol; a symbol made of letters is followed by a space. */
export function formatSellerPrice(rupees: number, lang: Lang, symbol = settings.sellerPriceSymbol): string {
  const gap = /[\p{L}\p{M}.]$/u.test(symbol) ? '\u00a0' : ''
  return `${symbol}${gap}${formatAmount(toPaisa(rupees), lang, 'always')}`
}
