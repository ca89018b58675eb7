/** What the shop's tests depend on: node --test tools/sms/sms.test.mjs */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

/** Starts a gateway for this test. */
async function open(t) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'sms.mjs'), '--with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  for await (const part of child.stdout) {
    text += part
    if (/SMS_TOKEN=.*\n/.test(text)) break
  }
  const said = Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => /^(\w+)=(.*)$/.exec(line).slice(1)),
  )
  const post = (path, body) => fetch(said.SMS_URL + path, { method: 'POST', body })
  const form = async (path, fields) => {
    const response = await post(path, new URLSearchParams(fields))
    return [response.status, await response.json()]
  }
  return {
    token: said.SMS_TOKEN,
    sparrow: (fields) => form('/v2/sms/', { token: said.SMS_TOKEN, from: said.SMS_SENDER, ...fields }),
    aakash: (fields) => form('/sms/v3/send', { auth_token: said.SMS_TOKEN, ...fields }),
    behave: (fault) => post('/behave', JSON.stringify(fault)),
    seen: async () => (await fetch(`${said.SMS_URL}/messages`)).json(),
  }
}

const HELLO = { to: '9801234567', text: 'Hello' }

test('a message is accepted as each provider says it', async (t) => {
  const gateway = await open(t)

  assert.deepEqual((await gateway.sparrow(HELLO))[1].response_code, 200)
  assert.deepEqual((await gateway.aakash(HELLO))[1].error, false)

  assert.deepEqual((await gateway.seen()).messages, [HELLO, HELLO])
})

test('a refusal has its documented code', async (t) => {
  const gateway = await open(t)
  for (const [fields, code] of [
    [{ ...HELLO, token: 'x' }, 1002],
    [{ ...HELLO, from: 'Someone' }, 1008],
    [{ ...HELLO, to: '014412345' }, 1011],
    [{ ...HELLO, text: ' ' }, 1004],
  ]) {
    const [status, body] = await gateway.sparrow(fields)
    assert.deepEqual([status, body.response_code], [403, code])
  }
  assert.equal((await gateway.aakash({ ...HELLO, auth_token: 'x' }))[1].error, true)

  assert.deepEqual((await gateway.seen()).messages, [])
})

test('faults come on request and end', async (t) => {
  const gateway = await open(t)
  for (const [way, status] of [
    ['error', 500],
    ['credit', 403],
    ['ip', 403],
  ]) {
    await gateway.behave({ way, to: HELLO.to })
    assert.equal((await gateway.sparrow(HELLO))[0], status)
  }
  await gateway.behave({ way: 'cut' })
  await assert.rejects(gateway.sparrow(HELLO))
  assert.deepEqual((await gateway.seen()).messages, [])

  await gateway.behave({ way: 'lost' })
  await assert.rejects(gateway.sparrow(HELLO))
  assert.deepEqual((await gateway.seen()).messages, [HELLO])
  assert.equal((await gateway.behave({ way: 'nonsense' })).status, 400)
  assert.equal((await gateway.sparrow(HELLO))[0], 200)
})
