/**
 * A push service for tests and development: it takes messages as RFC 8030 says, checks the shop's signature (VAPID,
 * RFC 8292) and decrypts the message (RFC 8291) with the keys of the browser that it stands for. It is never part of a
 * release and shares no code with the shop. README.md describes it.
 *
 *   node push.mjs [--port N] [--with-parent]
 *
 * When it is ready, it prints VAPID_PRIVATE_KEY (a new key for the shop), VAPID_SUBJECT and PUSH_SERVICES as KEY=value
 * lines. It ends on SIGTERM, and with --with-parent also when its standard input closes.
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'with-parent': { type: 'boolean', default: false },
  },
})

/** Subscriptions by id: the browser's keys, and the messages that it has received. */
const subscriptions = new Map()
/** Requests that were refused, with the reason. */
const refused = []
/** The requested faults by subscription id ('' for any), oldest first. */
const faults = new Map()
const FAULTS = ['gone', 'missing', 'busy', 'error', 'hang', 'cut', 'redirect']

// Encryption and signature.

/** Decrypts a message of one record (RFC 8188) for a browser (RFC 8291). */
function decrypt(subscription, body) {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const shared = subscription.ecdh.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), subscription.ecdh.getPublicKey(), sender])
  const ikm = Buffer.from(hkdfSync('sha256', shared, subscription.auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no delimiter')
  return padded.subarray(0, end).toString()
}

/** Returns what is wrong with the shop's signature, or the claims that it signs. */
function checkSignature(header, applicationKey) {
  const match = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(header ?? '')
  if (!match) return { problem: 'no VAPID authorization' }
  const [, head, claims, signature, key] = match
  if (key !== applicationKey) return { problem: 'the key is not the one that the browser subscribed with' }
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!signed) return { problem: 'the signature is wrong' }
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString())
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString())
  if (alg !== 'ES256') return { problem: `the algorithm is ${alg}` }
  if (said.aud !== base) return { problem: `the audience is ${said.aud}` }
  // Only the upper bound is checked against this clock, because tests move the shop's clock forward.
  if (typeof said.exp !== 'number' || said.exp * 1000 < Date.now())
    return { problem: 'the token has expired' }
  if (!/^(mailto:|https:\/\/)/.test(said.sub ?? '')) return { problem: 'no subject' }
  return { claims: said }
}

// Requests.

const json = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const refuse = (response, status, reason) => {
  refused.push(reason)
  json(response, status, { reason })
}

function nextFault(id) {
  for (const key of [id, '']) {
    const [fault] = faults.get(key) ?? []
    if (!fault) continue
    fault.times -= 1
    if (fault.times <= 0) faults.get(key).shift()
    return fault
  }
  return undefined
}

/** Returns true when the response was replaced here. */
function misbehave(response, fault) {
  if (!fault) return false
  const { way, retryAfter = 60 } = fault
  if (way === 'gone') json(response, 410, { reason: 'ExpiredSubscription' })
  else if (way === 'missing') json(response, 404, { reason: 'NotFound' })
  else if (way === 'busy') {
    response.writeHead(429, { 'retry-after': String(retryAfter) })
    response.end()
  } else if (way === 'error') json(response, 500, { reason: 'InternalServerError' })
  else if (way === 'cut') response.socket?.destroy()
  else if (way === 'redirect') {
    response.writeHead(307, { location: `${base}/elsewhere` })
    response.end()
  }
  return true
}

/** A browser subscribes: it makes its keys and names the application's key. */
function subscribe(response, { applicationServerKey }) {
  const id = randomBytes(12).toString('base64url')
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const auth = randomBytes(16)
  subscriptions.set(id, { id, ecdh, auth, applicationServerKey, received: [], attempts: 0 })
  json(response, 201, {
    id,
    endpoint: `${base}/send/${id}`,
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
  })
}

function send(request, response, id, body) {
  const subscription = subscriptions.get(id)
  if (subscription) subscription.attempts += 1
  if (misbehave(response, nextFault(id))) return
  if (!subscription) return refuse(response, 404, 'unknown subscription')
  const { problem, claims } = checkSignature(request.headers.authorization, subscription.applicationServerKey)
  if (problem) return refuse(response, 403, problem)
  const { ttl, urgency = 'normal', topic = '' } = request.headers
  if (!/^\d+$/.test(ttl ?? '')) return refuse(response, 400, 'no TTL')
  if (!/^[\w-]{0,32}$/.test(topic)) return refuse(response, 400, 'the topic is invalid')
  if (request.headers['content-encoding'] !== 'aes128gcm')
    return refuse(response, 415, 'the encoding is unknown')
  if (body.length > 4096) return refuse(response, 413, 'the message is too long')
  let text
  try {
    text = decrypt(subscription, body)
  } catch (error) {
    return refuse(response, 400, `the message cannot be decrypted: ${error.message}`)
  }
  subscription.received.push({ text, ttl: Number(ttl), urgency, topic, claims })
  response.writeHead(201, { location: `${base}/message/${randomBytes(8).toString('hex')}` })
  response.end()
}

function setFault(response, { way, subscription = '', times = 1, retryAfter }) {
  if (times === 0) faults.delete(subscription)
  else if (!FAULTS.includes(way)) return json(response, 400, { reason: `way is one of ${FAULTS.join(', ')}` })
  else faults.set(subscription, [...(faults.get(subscription) ?? []), { way, times, retryAfter }])
  json(response, 200, Object.fromEntries(faults))
}

const shown = ({ id, received, attempts }) => ({ id, received, attempts })

async function answer(request, response) {
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  const [, first, id] = request.url.split('/')
  const route = `${request.method} /${first}`
  if (route === 'POST /send' && id) send(request, response, id, body)
  else if (route === 'POST /subscriptions') subscribe(response, JSON.parse(body.toString()))
  else if (route === 'GET /subscriptions' && subscriptions.has(id))
    json(response, 200, shown(subscriptions.get(id)))
  else if (route === 'GET /subscriptions') json(response, 200, [...subscriptions.values()].map(shown))
  else if (route === 'GET /refused') json(response, 200, refused)
  else if (route === 'POST /behave') setFault(response, JSON.parse(body.toString()))
  else json(response, 404, { reason: 'not found' })
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.socket?.destroy())
})
server.keepAliveTimeout = 120_000
let base = ''
server.listen(Number(values.port), '127.0.0.1', () => {
  base = `http://127.0.0.1:${server.address().port}`
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ format: 'jwk' }).d
  process.stdout.write(
    `VAPID_PRIVATE_KEY=${key}\nVAPID_SUBJECT=mailto:owner@shop.example\nPUSH_SERVICES=${base}\n`,
  )
})
const end = () => process.exit(0)
process.on('SIGTERM', end)
process.on('SIGINT', end)
if (values['with-parent']) process.stdin.on('end', end).resume()
