/** One person at one browser: its own cookies, the calls made, and the fields that were read from the answers. */
import assert from 'node:assert/strict'

/** What all browsers of a walk did together. */
export const tally = { calls: 0, fields: 0, rows: new Set() }

const TYPES = {
  text: (value) => typeof value === 'string' && value !== '',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  count: (value) => Number.isInteger(value) && value >= 0,
  date: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  list: (value) => Array.isArray(value),
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  // A picture that is not there has no address.
  picture: (value) => value === null || typeof value === 'string',
}

/** Reads the named fields of something, each of its type: `read(user, { name: 'text' }, 'the user')`. */
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

  /** Any address, as a browser asks for it: cookies of that host, no redirect followed. */
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
        // A browser names the page that a changing call comes from.
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

  /** A call of the table. `row` is its path as the table writes it, so that in the end none is missing. */
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

  /** A call that must succeed; the fields beside `success` that the table reads are named in `wanted`. */
  async ask(method, row, { payload, slug, reads = {} } = {}) {
    const { status, answer, named } = await this.#call(method, row, payload, slug)
    assert.equal(answer.success, true, `${named}: ${status} ${JSON.stringify(answer)}`)
    assert.equal(status, 200, named)
    tally.fields += 1
    tally.rows.add(named)
    return read(answer, reads, named)
  }

  /** A call that must not succeed: says so itself, and with a status that says so too. */
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

/** What another call is to show, now or within two seconds: copies of the shop tell one another. */
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
