/** The size in a pack's label, without what it is packed in: '5 kg' of '5 kg bag'. */
export function packSize(label: string | null | undefined): string | undefined {
  const size = /^\s*[\d०-९.,]+\s*[^\s(]+/u.exec(label ?? '')
  return size?.[0].trim()
}
