import { vi } from 'vitest'

/** `query` is the query of the URL; `key` is the idempotency key of an order, if one was sent. */
type RecordedRequest = {
  method: string
  path: string
  body: unknown
  query?: Record<string, string>
  key?: string
}
type MockResponse = { status?: number; body: unknown }
type MockAnswer = MockResponse | 'no network' | 'never' | ((request: RecordedRequest) => MockResponse)

export const ok = (data: unknown, message = ''): MockResponse => ({ body: { success: true, message, data } })
export const refused = (status: number, code: string, message: string, data?: unknown): MockResponse => ({
  status,
  body: { success: false, code, message, ...(data === undefined ? {} : { data }) },
})
export const serverFailed: MockResponse = {
  status: 500,
  body: { success: false, code: 'internal', message: 'x' },
}

declare global {
  /** Set by late.ts only. */
  var late: (() => Promise<unknown>) | undefined
}

/** An EventSource that the test controls; happy-dom has none. */
export class FakeStream {
  static CLOSED = 2
  static opened: FakeStream[] = []
  static last = () => FakeStream.opened.at(-1) as FakeStream
  readyState = 0
  closed = false
  onopen?: () => void
  onerror?: () => void
  #heard = new Map<string, (event: { data: string }) => void>()
  constructor(readonly address: string) {
    FakeStream.opened.push(this)
  }
  addEventListener(name: string, hear: (event: { data: string }) => void) {
    this.#heard.set(name, hear)
  }
  close() {
    this.closed = true
  }
  /** Opens the stream like the server, whose first event is `reload`. */
  open() {
    this.readyState = 1
    this.onopen?.()
    this.#heard.get('reload')?.({ data: '' })
  }
  say(order: object) {
    this.#heard.get('order')?.({ data: JSON.stringify(order) })
  }
  fail(final = false) {
    this.readyState = final ? 2 : 0
    this.onerror?.()
  }
}

/** The form of the last request, which was an upload. */
export function lastFormData(requests: RecordedRequest[]): FormData {
  const body = requests.at(-1)?.body
  if (!(body instanceof FormData)) throw new Error('No form was sent.')
  return body
}

/** Counts the tests: a response belongs to the test that requested it. */
let round = 0

/** Called after each test: requests that are still open are never answered, so that they cannot act in the next test. */
export function closeServers() {
  round += 1
}

/**
 * Replaces the server for fetch and for XMLHttpRequest (uploads). `table` maps 'METHOD /path' to the response; anything else
 * is refused with 404. Returns all requests, in order.
 */
export function mockServer(table: Record<string, MockAnswer>) {
  const requests: RecordedRequest[] = []
  const opened = round
  const reply = (question: RecordedRequest): MockResponse | 'no network' | 'never' => {
    requests.push(question)
    const answer =
      table[`${question.method} ${question.path}`] ?? refused(404, 'not_found', 'Not in this test.')
    return typeof answer === 'function' ? answer(question) : answer
  }

  vi.stubGlobal('fetch', async (request: Request | string) => {
    const { method, url } =
      typeof request === 'string' ? { method: 'GET', url: `http://x${request}` } : request
    const text = typeof request === 'string' ? '' : await request.clone().text()
    const body = text ? JSON.parse(text) : undefined
    const key = typeof request === 'string' ? null : request.headers.get('idempotency-key')
    const { pathname: path, search, searchParams } = new URL(url)
    const query = search ? { query: Object.fromEntries(searchParams) } : {}
    const answer =
      opened === round ? reply({ method, path, body, ...query, ...(key ? { key } : {}) }) : 'never'
    if (answer === 'never') return new Promise(() => {})
    await globalThis.late?.()
    if (opened !== round) return new Promise(() => {})
    if (answer === 'no network') throw new TypeError('Failed to fetch')
    return Response.json(answer.body, { status: answer.status ?? 200 })
  })

  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload: { onprogress?: (event: object) => void } = {}
      status = 0
      responseText = ''
      responseType = ''
      onload?: () => void
      onerror?: () => void
      #question = { method: '', path: '' }
      open(method: string, path: string) {
        this.#question = { method, path }
      }
      send(form: FormData) {
        this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 })
        const answer = reply({ ...this.#question, body: form })
        setTimeout(() => {
          if (answer === 'never') return
          if (answer === 'no network') return this.onerror?.()
          this.status = answer.status ?? 200
          this.responseText = JSON.stringify(answer.body)
          this.onload?.()
        })
      }
    },
  )
  return requests
}
