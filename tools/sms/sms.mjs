/**
 * An SMS gateway for tests and development that speaks the protocols of Sparrow SMS (/v2/sms/, as documented) and of
 * Aakash SMS (/sms/v3/send, as public clients use it). It is never part of a release. README.md describes it.
 *
 *   node sms.mjs [--port N] [--token KEY] [--provider sparrow|aakash] [--with-parent]
 *
 * When it is ready, it prints SMS_PROVIDER, SMS_URL, SMS_SENDER and SMS_TOKEN as KEY=value lines. It ends on SIGTERM,
 * and with --with-parent also when its standard input closes.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    token: { type: 'string', default: `v2_${randomBytes(12).toString('hex')}` },
    provider: { type: 'string', default: 'sparrow' },
    'with-parent': { type: 'boolean', default: false },
  },
})
const SENDER = 'Demo'
const MOBILE = /^9[678]\d{8}$/

/** The messages that were accepted, oldest first. */
const messages = []
let attempts = 0
/** The requested faults by recipient ('' for any), oldest first. */
const faults = new Map()
const FAULTS = ['error', 'html', 'hang', 'cut', 'credit', 'ip', 'lost']

const json = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function nextFault(to) {
  for (const key of [to, '']) {
    const [fault] = faults.get(key) ?? []
    if (!fault) continue
    fault.times -= 1
    if (fault.times <= 0) faults.get(key).shift()
    return fault.way
  }
  return undefined
}

/** How each provider says yes and no. */
const PROTOCOLS = {
  sparrow: {
    accepted: (count) => [
      200,
      { count, response_code: 200, response: `${count} mesages has been queued for delivery` },
    ],
    token: () => [403, { response_code: 1002, response: 'Invalid Token' }],
    sender: () => [403, { response_code: 1008, response: 'Invalid Sender' }],
    receiver: () => [403, { response_code: 1011, response: 'No valid receiver' }],
    text: () => [403, { response_code: 1004, response: 'Text is blank' }],
    credit: () => [403, { response_code: 1013, response: 'Insufficient credits' }],
    ip: () => [403, { response_code: 1001, response: 'Invalid IP Address' }],
  },
  aakash: {
    accepted: (count) => [200, { error: false, message: `${count} messages has been queued for delivery` }],
    token: () => [401, { error: true, message: 'Invalid auth token' }],
    sender: () => [400, { error: true, message: 'Invalid sender' }],
    receiver: () => [400, { error: true, message: 'Invalid number' }],
    text: () => [400, { error: true, message: 'Text is required' }],
    credit: () => [402, { error: true, message: 'Insufficient balance' }],
    ip: () => [403, { error: true, message: 'IP not allowed' }],
  },
}

function send(response, protocol, { token, from, to = '', text = '' }) {
  attempts += 1
  const says = PROTOCOLS[protocol]
  const fault = nextFault(to)
  if (fault === 'error') return json(response, 500, { detail: 'A server error occurred.' })
  if (fault === 'html') {
    response.writeHead(502, { 'content-type': 'text/html' })
    return response.end('<h1>502 Bad Gateway</h1>')
  }
  if (fault === 'hang') return
  if (fault === 'cut') return response.socket?.destroy()
  if (fault === 'credit' || fault === 'ip') return json(response, ...says[fault]())
  if (token !== values.token) return json(response, ...says.token())
  if (protocol === 'sparrow' && from !== SENDER) return json(response, ...says.sender())
  const receivers = to.split(',')
  if (!receivers.every((receiver) => MOBILE.test(receiver))) return json(response, ...says.receiver())
  if (!text.trim()) return json(response, ...says.text())
  for (const receiver of receivers) messages.push({ to: receiver, text })
  // Accepted, but the shop never learns it.
  if (fault === 'lost') return response.socket?.destroy()
  json(response, ...says.accepted(receivers.length))
}

function setFault(response, { way, to = '', times = 1 }) {
  if (times === 0) faults.delete(to)
  else if (!FAULTS.includes(way)) return json(response, 400, { reason: `way is one of ${FAULTS.join(', ')}` })
  else faults.set(to, [...(faults.get(to) ?? []), { way, times }])
  json(response, 200, Object.fromEntries(faults))
}

async function answer(request, response) {
  const parts = []
  for await (const part of request) parts.push(part)
  const text = Buffer.concat(parts).toString()
  const url = new URL(request.url, 'http://localhost')
  const isPost = request.method === 'POST'
  const form = Object.fromEntries(isPost ? new URLSearchParams(text) : url.searchParams)
  if (url.pathname === '/v2/sms/') send(response, 'sparrow', form)
  else if (isPost && url.pathname === '/sms/v3/send')
    send(response, 'aakash', { ...form, token: form.auth_token })
  else if (url.pathname === '/messages') json(response, 200, { attempts, messages })
  else if (isPost && url.pathname === '/behave') setFault(response, JSON.parse(text))
  else json(response, 404, { detail: 'Not found.' })
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.socket?.destroy())
})
server.keepAliveTimeout = 120_000
server.listen(Number(values.port), '127.0.0.1', () => {
  process.stdout.write(
    `SMS_PROVIDER=${values.provider}\nSMS_URL=http://127.0.0.1:${server.address().port}\nSMS_SENDER=${SENDER}\nSMS_TOKEN=${values.token}\n`,
  )
})
const end = () => process.exit(0)
process.on('SIGTERM', end)
process.on('SIGINT', end)
if (values['with-parent']) process.stdin.on('end', end).resume()
