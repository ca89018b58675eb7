/**
 * A real OpenID provider for tests and development. The person who signs in types their identity: email, name, subject,
 * and whether the email is verified. It requires PKCE, has one confidential client and signs with RS256.
 *
 *   node provider.mjs --redirect-uri URL [--redirect-uri URL …] [--port N] [--client-id ID] [--client-secret SECRET]
 *                     [--with-parent]
 *
 * When it answers, it prints OPENID_ISSUER, OPENID_CLIENT_ID and OPENID_CLIENT_SECRET as KEY=value lines. It ends on
 * SIGTERM, and with --with-parent also when its standard input closes.
 *
 * POST /misbehave {"idToken": WAY | null, "email": "a@b"} makes the next token response invalid; with `email` only the
 * next one for that person, so that parallel tests do not interfere. The ways are the keys of WAYS below.
 */
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import Provider, { interactionPolicy } from 'oidc-provider'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'client-id': { type: 'string', default: 'thunse-shop' },
    'client-secret': { type: 'string', default: randomBytes(24).toString('base64url') },
    'redirect-uri': { type: 'string', multiple: true, default: [] },
    'with-parent': { type: 'boolean', default: false },
  },
})
const client = { id: values['client-id'], secret: values['client-secret'] }

async function newKey(kid) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return {
    kid,
    privateKey,
    publicKey,
    jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' },
  }
}
const own = await newKey('own')
const strange = await newKey('own')
const unpublished = await newKey('unpublished')
const rotated = await newKey('rotated')
/** Keys that are added to the published set later than the first. */
const published = []

const sign = (claims, { kid, privateKey }) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey)
const now = () => Math.floor(Date.now() / 1000)

const WAYS = {
  'wrong-nonce': (claims) => sign({ ...claims, nonce: 'another' }, own),
  'no-nonce': ({ nonce, ...claims }) => sign(claims, own),
  'wrong-audience': (claims) => sign({ ...claims, aud: 'another-shop' }, own),
  'wrong-issuer': (claims) => sign({ ...claims, iss: 'http://localhost:1' }, own),
  expired: (claims) => sign({ ...claims, iat: now() - 7200, exp: now() - 3600 }, own),
  'not-yet': (claims) => sign({ ...claims, iat: now() + 3600, nbf: now() + 3600, exp: now() + 7200 }, own),
  unsigned: (claims) => new UnsecuredJWT(claims).encode(),
  // A classic attack: the public key is used as the secret of a symmetric signature.
  symmetric: async (claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: own.kid })
      .sign(createSecretKey(Buffer.from(await exportSPKI(own.publicKey)))),
  'other-key': (claims) => sign(claims, strange),
  'unknown-key': (claims) => sign(claims, unpublished),
  // Not a fault: the provider has changed its key since the shop last fetched the keys, so the shop must fetch them
  // again.
  'rotated-key': (claims) => {
    if (!published.includes(rotated)) published.push(rotated)
    return sign(claims, rotated)
  },
  'no-auth-time': ({ auth_time, ...claims }) => sign(claims, own),
  'old-auth-time': (claims) => sign({ ...claims, auth_time: now() - 3600 }, own),
  missing: () => undefined,
  'server-error': () => {
    throw new Error('on demand')
  },
}
/** The requested ways by email address, or under '' for the next person. */
const asked = new Map()

const accounts = new Map()

const { base, Check, Prompt } = interactionPolicy
const policy = base()
// The login is always shown, so that a developer can come back as another person.
policy
  .get('login')
  .checks.add(
    new Check('always', 'the tester says who they are', 'login_required', ({ oidc }) => !oidc.result?.login),
  )
policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)

function makeProvider(issuer) {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: values['redirect-uri'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'RS256',
      },
    ],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    jwks: { keys: [own.jwk] },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    pkce: { required: () => true },
    responseTypes: ['code'],
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // Like Google: name and email are in the ID token, not only in the userinfo response.
    conformIdTokenClaims: false,
    ttl: {
      AuthorizationCode: 60,
      AccessToken: 300,
      IdToken: 3600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy, url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => accounts.get(sub) ?? { sub } }),
    // There is no consent page: signing in implies consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (ctx, next) => {
    if (ctx.method === 'POST' && ctx.path === '/token') await eitherKindOfSecret(ctx)
    await next()
    if (ctx.path === '/jwks') addPublished(ctx)
    if (ctx.path === '/token' && ctx.body?.id_token) await spoil(ctx)
  })
  return provider
}

/** Google accepts the client's secret in the header or in the body; the library requires one of them. */
async function eitherKindOfSecret(ctx) {
  const [, encoded] = /^Basic (.+)$/i.exec(ctx.get('authorization')) ?? []
  if (!encoded) return
  const [id, secret] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent)
  ctx.req.body = {
    ...Object.fromEntries(new URLSearchParams(await read(ctx.req))),
    client_id: id,
    client_secret: secret,
  }
  delete ctx.req.headers.authorization
}

function addPublished(ctx) {
  const keys = published.map(({ jwk: { kty, kid, alg, use, n, e } }) => ({ kty, kid, alg, use, n, e }))
  ctx.body = { keys: [...ctx.body.keys, ...keys] }
}

async function spoil(ctx) {
  const claims = decodeJwt(ctx.body.id_token)
  const key = [claims.email, ''].find((each) => asked.has(each))
  if (key === undefined) return
  const way = asked.get(key)
  asked.delete(key)
  try {
    ctx.body = { ...ctx.body, id_token: await WAYS[way](claims) }
  } catch {
    ctx.status = 500
    ctx.body = { error: 'server_error' }
  }
}

const escapeHtml = (text) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)

const loginPage = (uid, hint) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in – test identity provider</title>
<style>
  body { font: 16px/1.5 sans-serif; margin: 2rem auto; max-width: 24rem; padding: 0 1rem }
  label { display: block; margin: 0 0 1rem }
  input:not([type=checkbox]) { box-sizing: border-box; display: block; font: inherit; padding: .5rem; width: 100% }
  button { font: inherit; padding: .5rem 1rem }
</style>
<h1>Who are you?</h1>
<form method="post" action="/interaction/${uid}">
  <label>Email <input name="email" type="text" value="${escapeHtml(hint)}" autocomplete="off"></label>
  <label>Name <input name="name" autocomplete="off"></label>
  <label>Subject <input name="sub" value="${randomUUID()}" autocomplete="off"></label>
  <label>Picture <input name="picture" autocomplete="off"></label>
  <label><input type="checkbox" name="email_verified" checked> Email verified</label>
  <button name="action" value="login">Sign in</button>
  <button name="action" value="cancel">Cancel</button>
</form>
`

async function read(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function answer(response, status, body, type = 'application/json') {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function misbehave(request, response) {
  let wanted
  try {
    wanted = JSON.parse(await read(request))
  } catch {
    return answer(response, 400, { error: 'not JSON' })
  }
  const { idToken = null, email = '' } = wanted
  if (idToken !== null && !Object.hasOwn(WAYS, idToken)) {
    return answer(response, 400, { error: `knows only ${Object.keys(WAYS).join(', ')}` })
  }
  if (idToken === null) asked.delete(email)
  else asked.set(email, idToken)
  answer(response, 200, { idToken, email })
}

async function interact(provider, request, response) {
  const details = await provider.interactionDetails(request, response)
  if (request.method !== 'POST') {
    return answer(
      response,
      200,
      loginPage(details.uid, details.params.login_hint ?? ''),
      'text/html; charset=utf-8',
    )
  }
  const form = new URLSearchParams(await read(request))
  if (form.get('action') === 'cancel') {
    const refused = { error: 'access_denied', error_description: 'The person cancelled' }
    return provider.interactionFinished(request, response, refused, { mergeWithLastSubmission: false })
  }
  const sub = form.get('sub') || randomUUID()
  accounts.set(sub, {
    sub,
    email: form.get('email') ?? '',
    email_verified: form.has('email_verified'),
    name: form.get('name') ?? '',
    ...(form.get('picture') ? { picture: form.get('picture') } : {}),
  })
  const result = { login: { accountId: sub }, select_account: {} }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

const server = createServer()
await new Promise((ready, failed) => {
  server.once('error', failed)
  server.listen(Number(values.port), '127.0.0.1', ready)
})
// Under this host name the provider is another site than 127.0.0.1 to a browser, as Google is to the shop.
const issuer = `http://localhost:${server.address().port}`
const provider = makeProvider(issuer)
const callback = provider.callback()
server.on('request', (request, response) => {
  const { pathname } = new URL(request.url ?? '/', issuer)
  const handled =
    pathname === '/misbehave' && request.method === 'POST'
      ? misbehave(request, response)
      : pathname.startsWith('/interaction/')
        ? interact(provider, request, response)
        : pathname === '/favicon.ico'
          ? answer(response, 204, '')
          : callback(request, response)
  Promise.resolve(handled).catch((error) => answer(response, 400, { error: String(error) }))
})

function end() {
  server.close()
  server.closeAllConnections()
  process.exit(0)
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
if (values['with-parent']) process.stdin.on('end', end).resume()
console.log(`OPENID_ISSUER=${issuer}\nOPENID_CLIENT_ID=${client.id}\nOPENID_CLIENT_SECRET=${client.secret}`)
