import { shopUrl } from './api.ts'

export type Email = {
  id: number
  to: string[]
  from: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  at: string
}

function mailboxUrl(): string {
  const url = process.env.MAILBOX_URL
  if (!url) throw new Error('MAILBOX_URL is not set: take it from the lines that scripts/stack up prints')
  return url
}

export async function emailsTo(address: string): Promise<Email[]> {
  const response = await fetch(`${mailboxUrl()}/emails?${new URLSearchParams({ to: address })}`)
  return (await response.json()) as Email[]
}

/** Waits for the newest matching email; the worker sends emails a moment later. */
export async function waitForEmail(address: string, matches: (email: Email) => boolean): Promise<Email> {
  // The limit ends a test that hangs; a busy worker may take long.
  const deadline = Date.now() + 60_000
  for (;;) {
    const emails = await emailsTo(address)
    const found = emails.findLast(matches)
    if (found) return found
    if (Date.now() > deadline)
      throw new Error(
        `no such email to ${address}; there are: ${emails.map(({ subject }) => subject).join(', ') || 'none'}`,
      )
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export const withLinkTo =
  (page: '/reset-password' | '/confirm-email' | '/cancel-email-change' | '/seller/join') =>
  ({ text }: Email) =>
    text.includes(`${shopUrl()}${page}#token=`)

/** The only link to a page of the shop with a token; the HTML part must have the same. */
export function linkIn({ text, html }: Email): string {
  const [link] = /https?:\/\/\S+#token=[\w.~-]+/.exec(text) ?? []
  if (!link) throw new Error(`no link in: ${text}`)
  const read = html.replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
  if (!read.includes(`href="${link}"`)) throw new Error('the HTML part lacks the link of the text part')
  return link
}

export async function waitForReset(email: string): Promise<string> {
  return linkIn(await waitForEmail(email, withLinkTo('/reset-password')))
}

export async function waitForConfirmation(email: string): Promise<string> {
  return linkIn(await waitForEmail(email, withLinkTo('/confirm-email')))
}

export async function waitForCancellation(email: string): Promise<string> {
  return linkIn(await waitForEmail(email, withLinkTo('/cancel-email-change')))
}
