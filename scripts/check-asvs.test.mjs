// Proves that scripts/check-asvs sees what it is there to see: each planted fault in a small tree must fail.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const SCRIPT = path.join(import.meta.dirname, 'check-asvs')
const SECTIONS = readFileSync(SCRIPT, 'utf8').matchAll(/\b(\d+\.\d+): (\d+)/g)
const NUMBERS = [...SECTIONS].flatMap(([, section, count]) => Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`))
const DOOR = '#[test]\nfn a_door_is_locked() {}\n'
const MET = '`server/tests/door.rs::a_door_is_locked`'

/** A document in which everything is met, but for what `changed` says: verdict and evidence by number. */
function written(changed = {}) {
  const rows = NUMBERS.map((number) => {
    const [verdict, evidence] = changed[number] ?? ['met', MET]
    return `| ${number} | a lock | ${verdict} | ${evidence} |`
  })
  const list = (verdict) => NUMBERS.filter((number) => changed[number]?.[0] === verdict).map((number) => `- **${number}** because`)
  return ['# ASVS', 'COUNTS', '## Open', ...list('open'), '## Deviations', ...list('deviation'), '## Rows', ...rows, ''].join('\n')
}

/** Runs the check on a tree with this document; the counts are put in as the check itself prints them. */
function check(document, { env = {}, counts = (table) => table } = {}) {
  const tree = mkdtempSync(path.join(tmpdir(), 'check-asvs-'))
  const write = (name, text) => {
    mkdirSync(path.dirname(path.join(tree, name)), { recursive: true })
    writeFileSync(path.join(tree, name), text)
  }
  const copy = path.join(tree, 'scripts/check-asvs')
  write('server/tests/door.rs', DOOR)
  write('docs/security/asvs.md', document)
  mkdirSync(path.dirname(copy))
  cpSync(SCRIPT, copy)
  chmodSync(copy, 0o755)
  execFileSync('git', ['init', '-q'], { cwd: tree })
  const run = (...ask) => spawnSync(process.execPath, [copy, ...ask], { encoding: 'utf8', env: { ...process.env, ...env } })
  write('docs/security/asvs.md', document.replace('COUNTS', counts(run('--counts').stdout)))
  const { status, stdout, stderr } = run()
  rmSync(tree, { recursive: true })
  return { status, stdout, stderr }
}

function refused(document, reason, options) {
  const { status, stderr } = check(document, options)
  assert.equal(status, 1, stderr)
  assert.match(stderr, reason)
}

test('there are 253 requirements', () => {
  assert.equal(NUMBERS.length, 253)
  assert.equal(new Set(NUMBERS).size, 253)
})

test('a whole document passes, with the counts', () => {
  const { status, stdout, stderr } = check(written({ '17.1.1': ['not applicable', 'there is no TURN server'] }))

  assert.equal(status, 0, stderr)
  assert.match(stdout, /253 requirements, 252 met, 1 not applicable, 0 deviation, 0 open/)
})

test('every number is there, once, and is one of the standard', () => {
  refused(written().replace(/\| 6\.2\.4 .*\n/, ''), /6\.2\.4 is missing/)
  refused(`${written()}| 6.2.4 | a lock | met | ${MET} |\n`, /6\.2\.4 is listed twice/)
  // 6.3.5 is a level 3 requirement.
  refused(`${written()}| 6.3.5 | a lock | met | ${MET} |\n`, /6\.3\.5 is not a level 1 or 2 requirement/)
})

test('a verdict is one of four', () => {
  refused(written({ '1.1.1': ['partly', MET] }), /1\.1\.1 has the verdict 'partly'/)
})

test('what is met names a file or a test that exists', () => {
  refused(written({ '1.1.1': ['met', 'we are careful'] }), /1\.1\.1 is met, but names no file/)
  refused(written({ '1.1.1': ['met', '`server/tests/window.rs`'] }), /there is no server\/tests\/window\.rs/)
  refused(written({ '1.1.1': ['met', '`door.rs::a_door_is_open`'] }), /door\.rs has no 'a_door_is_open'/)
})

test('what is not met says why', () => {
  refused(written({ '1.1.1': ['not applicable', '–'] }), /1\.1\.1 does not say why/)
})

test('five deviations pass and six do not', () => {
  const deviations = (count) => Object.fromEntries(NUMBERS.slice(0, count).map((number) => [number, ['deviation', 'it is done another way']]))

  assert.equal(check(written(deviations(5))).status, 0)
  refused(written(deviations(6)), /6 deviations; at most 5/)
})

test('what is open or a deviation is listed at the top, and nothing else is', () => {
  const open = written({ '1.1.1': ['open', 'nobody has done it'] })
  const { status, stdout, stderr } = check(open, { env: { ASVS_MOST_OPEN: '1' } })

  assert.equal(status, 0, stderr)
  assert.match(stdout, /1 open/)
  refused(open, /1 open requirements; at most 0/, { env: { ASVS_MOST_OPEN: '0' } })
  refused(open.replace('- **1.1.1** because', ''), /1\.1\.1 is 'open', but is not under/)
  refused(written().replace('## Deviations', '## Deviations\n- **1.1.2** because'), /1\.1\.2 is under '## Deviations', but/)
})

test('the counts at the top are right', () => {
  refused(written(), /the counts at the top/, { counts: (table) => table.replace('| V6 | 35 | 35 |', '| V6 | 35 | 36 |') })
})
