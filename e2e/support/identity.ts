import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'

/** A person at the identity provider. */
export type Identity = { email: string; name: string; sub: string; verified: boolean }

export function identity(wanted: Partial<Identity> = {}): Identity {
  return {
    email: `e2e-${randomUUID()}@example.com`,
    name: 'Maya Gurung',
    sub: randomUUID(),
    verified: true,
    ...wanted,
  }
}

export function issuer(): string {
  const url = process.env.OPENID_ISSUER
  if (!url) throw new Error('OPENID_ISSUER is not set: take it from the lines that scripts/stack up prints')
  return url
}

/** Makes the next token response for this person invalid. */
export async function misbehave({ email }: Identity, idToken: string) {
  const response = await fetch(`${issuer()}/misbehave`, {
    method: 'POST',
    body: JSON.stringify({ idToken, email }),
  })
  if (!response.ok) throw new Error(`the provider does not know how to do that: ${await response.text()}`)
}

/** Fills in the provider's login page, which is open. */
export async function signInAtProvider(page: Page, { email, name, sub, verified }: Identity) {
  await expect(page).toHaveURL(new RegExp(`^${issuer()}/interaction/`))
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Subject').fill(sub)
  await page.getByLabel('Email verified').setChecked(verified)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/**
 * Signs in at the provider without a browser, from the URL that the shop redirects to; returns the URL that leads back
 * to the shop, unused.
 */
export async function wayBack(start: string, { email, name, sub, verified }: Identity): Promise<string> {
  const cookies = new Map<string, string>()
  const go = async (address: string, body?: URLSearchParams) => {
    const response = await fetch(new URL(address, issuer()), {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(body ? { body } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(key, value)
    }
    return new URL(response.headers.get('location') ?? '', issuer()).href
  }
  const form = await go(start)
  const fields = { email, name, sub, action: 'login', ...(verified ? { email_verified: 'on' } : {}) }
  return go(await go(form, new URLSearchParams(fields)))
}
