/** Rupees with at most two decimals. */
export const isPrice = (text: string) => /^\d{1,9}(\.\d{1,2})?$/.test(text.trim())

/** A whole number of up to nine digits. */
export const isWholeNumber = (text: string) => /^\d{1,9}$/.test(text.trim())
