import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from '@/api/schema.gen'
import { takeFirstResponse } from '@/lib/first-data'

export type Schemas = components['schemas']

/** The server refused the request. Everything else that goes wrong is another exception (network, 5xx, bad JSON). */
export class ApiError extends Error {
  override name = 'ApiError'
  constructor(
    readonly code: string | undefined,
    readonly status: number,
    message: string,
    /** Details that the server sends with a refusal, such as the remaining stock. */
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** Sorts the keys, because the server stores the responses of the first page under exactly this spelling. */
function serializeQuery(query: Record<string, unknown>): string {
  const spelled = new URLSearchParams()
  for (const key of Object.keys(query).sort()) {
    const value = query[key]
    if (value !== undefined && value !== null && value !== '') spelled.set(key, String(value))
  }
  return spelled.toString()
}

/** Answers a request from the responses that came with the first page, if its response is among them. */
const firstResponses: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET') return undefined
    const { pathname, search } = new URL(request.url)
    const known = takeFirstResponse(pathname + search)
    return known ? Response.json(known) : undefined
  },
}

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  querySerializer: serializeQuery,
  // Looked up at each call, because tests replace the global function.
  fetch: (request) => fetch(request),
})
api.use(firstResponses)

type Envelope = { success: boolean; message?: string; code?: string | null; data?: unknown }

/** Returns the whole response of a successful call, so that lists keep their cursor and count. */
export function unwrap<T extends Envelope>(result: { data?: T; error?: unknown; response: Response }): T {
  if (result.data?.success) return result.data
  const body = (result.data ?? result.error) as Envelope | undefined
  if (body?.success === false && result.response.status < 500) {
    throw new ApiError(body.code ?? undefined, result.response.status, body.message ?? '', body.data)
  }
  throw serverFailure(result.response.status, body?.code)
}

/** The error for a server, or a proxy in front of it, that could not process the request. */
export const serverFailure = (status: number, code?: string | null) =>
  Object.assign(new Error(`The server failed (${status}).`), { code, status })

/** The server's code for the reason, for refusals and failures alike. */
export const errorCode = (error: unknown) =>
  (error as { code?: string | null } | undefined)?.code ?? undefined

/** Whether the server itself failed; a lost connection or a busy server does not count. */
export const isServerError = (error: unknown) => (error as { status?: number } | undefined)?.status === 500

/** Returns only the `data` of a successful call. */
export async function unwrapData<D>(
  reply: Promise<{ data?: Envelope & { data: D }; error?: unknown; response: Response }>,
): Promise<D> {
  return unwrap(await reply).data
}
