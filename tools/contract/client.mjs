/** A browser of one person: its cookies, the calls that it made, and the fields that were read from the responses. */
import assert from 'node:assert/strict'

/** The totals of all browsers. */
export const tally = { calls: 0, fields: 0, rows: new Set() }

const TYPES = {
  text: (value) => typeof value === 'string' && value !== '',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  count: (value) => Number.isInteger(value) && value >= 0,
  date: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  list: (value) => Array.isArray(value),
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  // A missing picture has no URL.
  picture: (value) => value === null || typeof value === 'string',
}

/** Reads the named fields of an object and checks their types: `read(user, { name: 'text' }, 'the user')`. */
export function read(from, wanted, what) {
  assert.ok(TYPES.map(from), `${what} is an object, not ${JSON.stringify(from)}`)
  for (const [name, type] of Object.entries(wanted)) {
    assert.ok(
      TYPES[type](from[name]),
      `${what}: ${name} is to be a ${type}, not ${JSON.stringify(from[name])}`,
    )
    tally.fields += 1
  }
  return from
}

export class Browser {
  #shop
  #jar = new Map()

  constructor(shop) {
    this.#shop = shop
  }

  /** Requests any URL like a browser: with the cookies of that host, without following redirects. */
  async go(address, { method = 'GET', body, headers = {} } = {}) {
    const url = new URL(address, this.#shop)
    const cookies = this.#jar.get(url.host) ?? new Map()
    this.#jar.set(url.host, cookies)
    const response = await fetch(url, {
      method,
      body,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        // A browser sends the origin of the page with every changing request.
        ...(method === 'GET' ? {} : { origin: url.origin }),
        ...headers,
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  /** Makes a call of the table. `row` is its path as the table writes it, so that missing rows are noticed. */
  async #call(method, row, payload, slug) {
    const multipart = payload instanceof FormData
    const response = await this.go(row.replace('{slug}', encodeURIComponent(slug ?? '')), {
      method,
      ...(payload === undefined ? {} : { body: multipart ? payload : JSON.stringify(payload) }),
      headers: payload === undefined || multipart ? {} : { 'content-type': 'application/json' },
    })
    tally.calls += 1
    const answer = await response.json()
    return { status: response.status, answer, named: `${method} ${row}` }
  }

  /** Makes a call that must succeed; `reads` names the fields beside `success` that the table reads. */
  async ask(method, row, { payload, slug, reads = {} } = {}) {
    const { status, answer, named } = await this.#call(method, row, payload, slug)
    assert.equal(answer.success, true, `${named}: ${status} ${JSON.stringify(answer)}`)
    assert.equal(status, 200, named)
    tally.fields += 1
    tally.rows.add(named)
    return read(answer, reads, named)
  }

  /** Makes a call that must be refused, both in its body and by its status. */
  async refused(method, row, wanted, { payload, slug } = {}) {
    const { status, answer, named } = await this.#call(method, row, payload, slug)
    assert.equal(answer.success, false, `${named} should be refused: ${JSON.stringify(answer)}`)
    assert.equal(status, wanted, named)
    return read(answer, { message: 'text' }, named)
  }
}

export function form(fields) {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) made.append(name, value, 'picture.png')
    else made.append(name, String(value))
  }
  return made
}

/** Retries a check for two seconds, because the instances of the shop notify one another. */
export async function eventually(look) {
  const end = Date.now() + 2_000
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (Date.now() > end) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
