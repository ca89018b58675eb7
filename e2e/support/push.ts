import type { Page } from '@playwright/test'

/** A browser at the push service of the stack (tools/push/README.md). */
export type PushBrowser = {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  received: () => Promise<{ title: string; body: string; url: string }[]>
}

function pushUrl(): string {
  const url = process.env.PUSH_SERVICES
  if (!url) throw new Error('PUSH_SERVICES is not set: take it from the lines that scripts/stack up prints')
  return url
}

/** Subscribes to the messages of the shop that this page shows; Chromium's own push service is out of reach here. */
export async function newPushBrowser(page: Page): Promise<PushBrowser> {
  const settings = await page.locator('#first-data').textContent()
  const { pushKey } = (JSON.parse(settings ?? '{}') as { settings: { pushKey: string } }).settings
  const made = await fetch(`${pushUrl()}/subscriptions`, {
    method: 'POST',
    body: JSON.stringify({ applicationServerKey: pushKey }),
  })
  const { id, endpoint, keys } = (await made.json()) as { id: string } & PushBrowser['subscription']
  return {
    subscription: { endpoint, keys },
    received: async () => {
      const seen = await (await fetch(`${pushUrl()}/subscriptions/${id}`)).json()
      return (seen as { received: { text: string }[] }).received.map(({ text }) => JSON.parse(text))
    },
  }
}
