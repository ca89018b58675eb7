import type { PackingLine, PackingReport, Replacement } from '@/features/packing/seller/packing-api'

export const REASONS = ['not_available', 'damaged', 'not_wanted'] as const
export type Reason = (typeof REASONS)[number]

/** What the packer has said about a line; a line that is not in the draft waits. */
export type LineDraft = {
  packed: number
  /** What the packed units of a weighed product weigh together. */
  grams?: number
  reason?: Reason
  replacement?: Pick<Replacement, 'product' | 'name' | 'nameNe' | 'price'> & { quantity: number }
}
export type Draft = Record<string, LineDraft>

type Line = Pick<PackingLine, 'product' | 'quantity' | 'barcode'> & { stepGrams?: number | null }

/** A line is done when all of it is packed, or when the packer has said why not; weighed goods also need their weight. */
export const isDone = (line: Line, draft: Draft) => {
  const said = draft[line.product]
  if (said === undefined || (line.stepGrams && said.packed > 0 && !said.grams)) return false
  return said.packed === line.quantity || said.reason !== undefined
}

/** Ticks the whole line, or takes back what was said about it. */
export function toggleLine(line: Line, draft: Draft): Draft {
  const { [line.product]: _, ...others } = draft
  return isDone(line, draft) ? others : { ...others, [line.product]: { packed: line.quantity } }
}

/** Notes the weight of a line in grams; without one the line waits again. */
export function weighLine(line: Line, draft: Draft, grams: number): Draft {
  const { [line.product]: said, ...others } = draft
  if (grams > 0) return { ...others, [line.product]: { packed: line.quantity, ...said, grams } }
  const { grams: _, ...rest } = said ?? { packed: line.quantity }
  return rest.reason ? { ...others, [line.product]: rest } : others
}

/** A scan packs one unit. Returns null if no line waits for this barcode. */
export function scanLine(lines: readonly Line[], draft: Draft, barcode: string): Draft | null {
  const line = lines.find((each) => each.barcode === barcode && !each.stepGrams && !isDone(each, draft))
  if (!line) return null
  return { ...draft, [line.product]: { packed: (draft[line.product]?.packed ?? 0) + 1 } }
}

export const toReport = (orderId: string, lines: readonly Line[], draft: Draft): PackingReport => ({
  orderId,
  lines: lines.map(({ product }) => {
    const { packed = 0, grams, reason, replacement } = draft[product] ?? {}
    return {
      product,
      packed,
      ...(grams && packed > 0 ? { grams } : {}),
      ...(reason ? { reason } : {}),
      ...(replacement
        ? { replacement: { product: replacement.product, quantity: replacement.quantity } }
        : {}),
    }
  }),
})

/** Whether a replacement costs more than what it replaces. The server computes what the customer pays. */
export const isDearer = (lines: readonly PackingLine[], draft: Draft) =>
  lines.some(({ product, price, quantity }) => {
    const said = draft[product]
    return (
      said?.replacement !== undefined &&
      said.replacement.price * said.replacement.quantity > price * (quantity - said.packed)
    )
  })

const storageKey = (order: string) => `packing:${order}`

/** The draft survives a reload and an empty battery; it stays on this device until the order is finished. */
export function loadDraft(order: string): Draft {
  try {
    return JSON.parse(localStorage.getItem(storageKey(order)) ?? '{}') as Draft
  } catch {
    return {}
  }
}

export function storeDraft(order: string, draft: Draft) {
  try {
    if (Object.keys(draft).length > 0) localStorage.setItem(storageKey(order), JSON.stringify(draft))
    else localStorage.removeItem(storageKey(order))
  } catch {
    // A private window may refuse storage; the draft lives as long as the page.
  }
}
