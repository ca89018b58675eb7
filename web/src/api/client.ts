import type { Client } from 'openapi-fetch'
import type { components, paths } from '@/api/schema.gen'
import { takeFirstResponse } from '@/lib/first-data'

export type Schemas = components['schemas']

/** The server answered, and its answer was no. Anything else that goes wrong is an exception (network, 5xx, bad JSON). */
export class ApiError extends Error {
  override name = 'ApiError'
  constructor(
    readonly code: string | undefined,
    readonly status: number,
    message: string,
    /** What the server says beside its no, such as what is left of the goods. */
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** Keys in alphabetical order: the server writes the first page's answers down under exactly this spelling. */
function serializeQuery(query: Record<string, unknown>): string {
  const spelled = new URLSearchParams()
  for (const key of Object.keys(query).sort()) {
    const value = query[key]
    if (value !== undefined && value !== null && value !== '') spelled.set(key, String(value))
  }
  return spelled.toString()
}

type RequestOptions = {
  params?: {
    path?: Record<string, unknown>
    query?: Record<string, unknown>
    header?: Record<string, string>
  }
  body?: unknown
  signal?: AbortSignal
}

async function send(method: string, pattern: string, { params, body, signal }: RequestOptions = {}) {
  const path = pattern.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(String(params?.path?.[name])))
  const query = serializeQuery(params?.query ?? {})
  const address = query ? `${path}?${query}` : path
  const known = method === 'GET' && takeFirstResponse(address)
  if (known) return { data: known, response: new Response() }
  const response = await fetch(
    new Request(window.location.origin + address, {
      method,
      credentials: 'same-origin',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...params?.header },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    }),
  )
  if (response.ok) return { data: await response.json(), response }
  // A proxy may answer with a body of its own; then only the status is known.
  return { error: await response.json().catch(() => undefined), response }
}

const method = (name: string) => (path: string, sent?: RequestOptions) => send(name, path, sent)

/** Typed by the schema as openapi-fetch types it; its own code is three times as long and knows much that we never ask for. */
export const api = {
  GET: method('GET'),
  POST: method('POST'),
  PUT: method('PUT'),
  DELETE: method('DELETE'),
} as unknown as Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'DELETE'>

type Envelope = { success: boolean; message?: string; code?: string | null; data?: unknown }

/** The whole answer when it was a yes, so that lists keep their cursor and count. */
export function unwrap<T extends Envelope>(result: { data?: T; error?: unknown; response: Response }): T {
  if (result.data?.success) return result.data
  const body = (result.data ?? result.error) as Envelope | undefined
  if (body?.success === false && result.response.status < 500) {
    throw new ApiError(body.code ?? undefined, result.response.status, body.message ?? '', body.data)
  }
  throw serverFailure(result.response.status, body?.code)
}

/** The server, or a proxy before it, could not do what was asked. */
export const serverFailure = (status: number, code?: string | null) =>
  Object.assign(new Error(`The server failed (${status}).`), { code, status })

/** What the server calls the reason, when it gave one: for a no and for a failure alike. */
export const errorCode = (error: unknown) =>
  (error as { code?: string | null } | undefined)?.code ?? undefined

/** Whether the server itself failed; a connection that broke, or a server that is busy, is something else. */
export const isServerError = (error: unknown) => (error as { status?: number } | undefined)?.status === 500

/** What a call is about, when its answer was a yes. */
export async function unwrapData<D>(
  reply: Promise<{ data?: Envelope & { data: D }; error?: unknown; response: Response }>,
): Promise<D> {
  return unwrap(await reply).data
}
