/** What the shop's tests depend on: node --test tools/push/push.test.mjs */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'

/** Starts a push service for this test. */
async function open(t) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'push.mjs'), '--with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  for await (const part of child.stdout) {
    text += part
    if (/PUSH_SERVICES=.*\n/.test(text)) break
  }
  const said = Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => /^(\w+)=(.*)$/.exec(line).slice(1)),
  )
  const call = async (path, body) => {
    const response = await fetch(said.PUSH_SERVICES + path, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(said.VAPID_PRIVATE_KEY, 'base64url'))
  return { base: said.PUSH_SERVICES, call, ecdh, applicationServerKey: ecdh.getPublicKey('base64url') }
}

function token(service, claims, ecdh = service.ecdh) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const point = ecdh.getPublicKey()
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: ecdh.getPrivateKey('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${ecdh.getPublicKey('base64url')}`
}

/** Encrypts as RFC 8291 says. */
function encrypt(subscription, text) {
  const sender = createECDH('prime256v1')
  sender.generateKeys()
  const browser = Buffer.from(subscription.keys.p256dh, 'base64url')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, sender.getPublicKey()])
  const auth = Buffer.from(subscription.keys.auth, 'base64url')
  const ikm = Buffer.from(hkdfSync('sha256', sender.computeSecret(browser), auth, info, 32))
  const salt = randomBytes(16)
  const key = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: nonce\0', 12))
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = Buffer.concat([
    cipher.update(Buffer.from(`${text}\x02`)),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const header = Buffer.alloc(5)
  header.writeUInt32BE(4096, 0)
  header.writeUInt8(65, 4)
  return Buffer.concat([salt, header, sender.getPublicKey(), sealed])
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600
const claimsFor = (service) => ({ aud: service.base, exp: inAnHour(), sub: 'mailto:a@b.example' })

async function setUp(t) {
  const service = await open(t)
  const { body } = await service.call('/subscriptions', {
    applicationServerKey: service.applicationServerKey,
  })
  const send = (authorization, message = encrypt(body, 'hello'), headers = {}) =>
    fetch(body.endpoint, {
      method: 'POST',
      redirect: 'manual',
      body: message,
      headers: { authorization, ttl: '60', 'content-encoding': 'aes128gcm', ...headers },
    })
  const received = async () => (await service.call(`/subscriptions/${body.id}`)).body.received
  return { service, subscription: body, send, received }
}

test('a signed and encrypted message is received', async (t) => {
  const { service, send, received } = await setUp(t)

  const response = await send(token(service, claimsFor(service)), undefined, { topic: 'order-1' })

  assert.equal(response.status, 201)
  const [message] = await received()
  assert.deepEqual([message.text, message.ttl, message.topic], ['hello', 60, 'order-1'])
})

test('a message without a valid signature is refused', async (t) => {
  const { service, send, received } = await setUp(t)
  const stranger = createECDH('prime256v1')
  stranger.generateKeys()
  const good = token(service, claimsFor(service))
  const bad = [
    '',
    'vapid t=a.b.c, k=d',
    token(service, claimsFor(service), stranger),
    token(service, { ...claimsFor(service), aud: 'https://elsewhere.example' }),
    token(service, { ...claimsFor(service), exp: 1 }),
    token(service, { ...claimsFor(service), sub: 'me' }),
    good.replace(/\.([\w-]{10})[\w-]*,/, '.$1,'),
  ]

  for (const authorization of bad) assert.equal((await send(authorization)).status, 403, authorization)

  assert.deepEqual(await received(), [])
  assert.equal((await service.call('/refused')).body.length, bad.length)
})

test('a message that cannot be decrypted is refused', async (t) => {
  const { service, send, subscription, received } = await setUp(t)
  const damaged = encrypt(subscription, 'hello')
  damaged[damaged.length - 1] ^= 1

  assert.equal((await send(token(service, claimsFor(service)), damaged)).status, 400)

  assert.deepEqual(await received(), [])
})

test('faults come on request, for one subscription or all, and end', async (t) => {
  const { service, send, subscription, received } = await setUp(t)
  const authorization = token(service, claimsFor(service))
  await service.call('/behave', { way: 'gone', subscription: 'another' })

  for (const [way, status] of [
    ['gone', 410],
    ['missing', 404],
    ['busy', 429],
    ['error', 500],
    ['redirect', 307],
  ]) {
    await service.call('/behave', { way, subscription: subscription.id, retryAfter: 7 })
    const response = await send(authorization)
    assert.equal(response.status, status)
    if (way === 'busy') assert.equal(response.headers.get('retry-after'), '7')
  }
  await service.call('/behave', { way: 'cut', times: 2 })
  await assert.rejects(send(authorization))
  await service.call('/behave', { times: 0 })
  await service.call('/behave', { way: 'hang' })
  await assert.rejects(fetch(subscription.endpoint, { method: 'POST', signal: AbortSignal.timeout(200) }), {
    name: 'TimeoutError',
  })
  assert.deepEqual(await received(), [])

  assert.equal((await send(authorization)).status, 201)
  assert.equal((await service.call('/behave', { way: 'nonsense' })).status, 400)
})
