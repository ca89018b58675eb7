import { randomInt, randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { shopUrl } from './api.ts'

export type Person = { name: string; email: string; password: string; phone: string }
export type User = {
  _id: string
  name: string
  email: string
  image: string | null
  phone: string
  address: string
  emailConfirmed: boolean
  pendingEmail: string | null
  hasPassword: boolean
  google: boolean
}
export type Answer<T> = {
  status: number
  headers: Headers
  body: { success: boolean; code?: string; message: string; data: T }
}

/** A new person with a random password. */
export function somebody(name = 'Ram Bahadur'): Person {
  return {
    name,
    email: `e2e-${randomUUID()}@example.com`,
    password: `jholi-${randomUUID()}`,
    phone: `98${randomInt(10_000_000, 99_999_999)}`,
  }
}

/** Less than a test may take: its own time-out does not name the request it waited for. */
const LONGEST_RESPONSE_MS = 60_000

export const SHOPPER_COOKIE = '__Host-sid'
export const SELLER_COOKIE = '__Host-ssid'

/** A client of the shop without a browser, with its own cookies; a browser can take over its session. */
export class Visitor {
  cookies = new Map<string, string>()
  origin = shopUrl()

  async call<T = unknown>(
    method: string,
    path: string,
    body?: FormData | Record<string, unknown>,
    headers: Record<string, string> = {},
    at = shopUrl(),
  ): Promise<Answer<T>> {
    const form = body instanceof FormData
    const response = await fetch(at + path, {
      signal: AbortSignal.timeout(LONGEST_RESPONSE_MS),
      method,
      redirect: 'manual',
      headers: {
        origin: this.origin,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body && !form ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    }).catch((error: Error) => {
      throw new Error(`${method} ${path}: ${error.message}`, { cause: error })
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await response.text()
    const json = (response.headers.get('content-type') ?? '').includes('json')
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : {} }
  }

  /** For steps that a test depends on: any failure ends the test with the shop's message. */
  async must<T = unknown>(...[method, path, body]: Parameters<Visitor['call']>): Promise<T> {
    const answer = await this.call<T>(method, path, body)
    if (!answer.body.success)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  /** Whether the session is still valid. */
  async isSignedIn(): Promise<boolean> {
    return (await this.call('GET', '/api/user/isAuth')).status === 200
  }

  async enter(context: BrowserContext) {
    await context.addCookies(
      [...this.cookies].map(([name, value]) => ({
        name,
        value,
        domain: new URL(shopUrl()).hostname,
        path: '/',
        secure: name.startsWith('__Host-'),
        httpOnly: name === SHOPPER_COOKIE || name === SELLER_COOKIE,
        sameSite: 'Lax' as const,
      })),
    )
  }
}

export function formOf(fields: Record<string, string | Blob>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

export async function register(person: Person): Promise<Visitor> {
  const visitor = new Visitor()
  await visitor.must('POST', '/api/user/register', formOf(person))
  return visitor
}

export async function logIn({ email, password }: Pick<Person, 'email' | 'password'>): Promise<Visitor> {
  const visitor = new Visitor()
  await visitor.must('POST', '/api/user/login', { email, password })
  return visitor
}

/** The session of this browser, for calls outside of it. */
export async function sessionOf(context: BrowserContext): Promise<Visitor> {
  const visitor = new Visitor()
  for (const { name, value } of await context.cookies(shopUrl())) visitor.cookies.set(name, value)
  return visitor
}

export const HOME_ADDRESS = {
  address: 'Home',
  phone: '9841234567',
  street: 'Baneshwor-10',
  city: 'Kathmandu',
  state: 'Bagmati',
  country: 'Nepal',
  pincode: '44600',
}

/** Makes every such call of the page fail inside the server; only debug builds support the header. */
export async function fault(page: Page, path: string, status: 500 | 503 = 500) {
  await page.route(`**${path}`, (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-test-fault': String(status) } }),
  )
}
