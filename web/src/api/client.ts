import createClient from 'openapi-fetch'
import type { components, paths } from '@/api/schema.gen'
import { takeFirstAnswer } from '@/lib/first-data'

export type Schemas = components['schemas']

/** The server answered, and its answer was no. Anything else that goes wrong is an exception (network, 5xx, bad JSON). */
export class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly code: string | undefined,
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** Keys in alphabetical order: the server writes the first page's answers down under exactly this spelling. */
function spellQuery(query: Record<string, unknown>): string {
  const spelled = new URLSearchParams()
  for (const key of Object.keys(query).sort()) {
    const value = query[key]
    if (value !== undefined && value !== null && value !== '') spelled.set(key, String(value))
  }
  return spelled.toString()
}

function send(request: Request): Promise<Response> {
  if (request.method === 'GET') {
    const { pathname, search } = new URL(request.url)
    const known = takeFirstAnswer(pathname + search)
    if (known) return Promise.resolve(Response.json(known))
  }
  return globalThis.fetch(request)
}

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  querySerializer: spellQuery,
  fetch: send,
})

type Envelope = { success: boolean; message?: string; code?: string | null }

/** The whole answer when it was a yes, so that lists keep their cursor and count. */
export function unwrap<T extends Envelope>(result: { data?: T; error?: unknown; response: Response }): T {
  if (result.data?.success) return result.data
  const body = (result.data ?? result.error) as Envelope | undefined
  if (body?.success === false && result.response.status < 500) {
    throw new Refusal(body.code ?? undefined, result.response.status, body.message ?? '')
  }
  throw new Error(`The server failed (${result.response.status}).`)
}
