// Proves that scripts/check-spec sees what it is there to see: each planted fault in a small tree must fail.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const LIST = '| id | what must hold |\n|---|---|\n| 2.door.1 | it opens |\n| 2.door.2 | it shuts |\n'
const DOOR = `import { test } from 'vitest'

// spec: 2.door.1
test('a door opens', () => {
  open()
})
`
const SHUT = `// spec: 2.door.2
#[sqlx::test]
async fn a_door_shuts(pool: PgPool) {
    shut(pool).await;
}
`

function look({ list = LIST, door = DOOR, shut = SHUT, more = {}, ask = [] } = {}) {
  const tree = mkdtempSync(path.join(tmpdir(), 'check-spec-'))
  const files = {
    'docs/spec-coverage.md': list,
    'web/src/door.test.ts': door,
    'server/tests/it/door.rs': shut,
    ...more,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(tree, name)), { recursive: true })
    writeFileSync(path.join(tree, name), text)
  }
  mkdirSync(path.join(tree, 'scripts'))
  const copy = path.join(tree, 'scripts/check-spec')
  cpSync(path.join(import.meta.dirname, 'check-spec'), copy)
  chmodSync(copy, 0o755)
  const { status, stdout, stderr } = spawnSync(process.execPath, [copy, ...ask], { encoding: 'utf8' })
  rmSync(tree, { recursive: true })
  return { status, stdout, stderr }
}

function refused(tree, reason) {
  const { status, stderr } = look(tree)
  assert.equal(status, 1, stderr)
  assert.match(stderr, reason)
}

test('a tree in which every statement has its test passes, with the count', () => {
  const { status, stdout, stderr } = look()

  assert.equal(status, 0, stderr)
  assert.match(stdout, /figure: spec coverage: 2 of 2 ids, 2 tagged tests/)
})

test('the list names the tests of each statement', () => {
  const { stdout } = look({ ask: ['--list'] })

  assert.match(stdout, /2\.door\.1\n {4}web\/src\/door\.test\.ts:4: a door opens\n/)
  assert.match(stdout, /2\.door\.2\n {4}server\/tests\/it\/door\.rs:2: a_door_shuts\n/)
})

test('a test that was removed with its tag is missed', () => {
  refused({ shut: '' }, /no test says that it proves 2\.door\.2/)
})

test('a test that was removed under its tag is missed', () => {
  refused({ door: DOOR.replace(/\ntest\('a door[\s\S]*/, '') }, /stands above nothing/)
  refused({ door: DOOR.replace("test('a door", "prepare('a door") }, /something that is no test/)
})

test('a tag must name a statement that there is', () => {
  refused({ door: DOOR.replace('2.door.1', '2.door.1, 2.door.9') }, /there is no '2\.door\.9'/)
})

test('a statement is listed once', () => {
  refused({ list: `${LIST}| 2.door.1 | it opens again |\n` }, /2\.door\.1 is listed twice/)
})

for (const off of ['test.skip(', 'test.only(', 'test.fixme(', 'test.todo(', 'it.skip(']) {
  test(`${off}…) proves nothing`, () => {
    refused({ door: DOOR.replace('test(', off) }, /switched off/)
  })
}

for (const givesUp of ['test.fixme()', "test.skip(!isPhone(page), 'phones only')", 'test.fail()']) {
  test(`${givesUp} in a test's first line proves nothing`, () => {
    refused({ door: DOOR.replace('open()', givesUp) }, /switches tests off/)
  })
}

for (const group of ['describe.skip', 'test.describe.fixme', 'describe.skipIf(true)', 'test.describe.only']) {
  test(`a group with ${group} proves nothing`, () => {
    const inside = DOOR.split('\n').slice(2).join('\n')
    refused({ door: `${group}('doors', () => {\n${inside}})\n` }, /switches tests off/)
  })
}

test('an ignored Rust test proves nothing', () => {
  refused({ shut: SHUT.replace('async fn', '#[ignore]\nasync fn') }, /ignored/)
  refused({ shut: `#[ignore = "later"]\n${SHUT}` }, /ignored/)
})

test('a test that is commented out proves nothing', () => {
  refused({ shut: `/*\n${SHUT}*/\n` }, /no test says that it proves 2\.door\.2/)
  refused({ shut: SHUT.replace('#[sqlx', '// #[sqlx') }, /something that is no test/)
})

test('a tag in a file that holds no tests is a mistake', () => {
  refused({ more: { 'web/src/door.ts': DOOR } }, /no file of tests/)
})
