/** Fails when a test runs in no project of the gate: left out of one by its file and out of the other by its tag. */
import { spawnSync } from 'node:child_process'

function listed(all) {
  const { ALL: _, ...env } = process.env
  const { stdout, stderr, status } = spawnSync('npx', ['playwright', 'test', '--list', '--reporter=list'], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
    env: all ? { ...env, ALL: '1' } : env,
  })
  const tests = [...stdout.matchAll(/^ *\[[\w-]+\] › (.+)$/gm)].map(([, test]) => test)
  if (status !== 0 || tests.length === 0)
    throw new Error(`the tests could not be listed:\n${stdout}${stderr}`)
  return new Set(tests)
}

const inGate = listed(false)
const nowhere = [...listed(true)].filter((test) => !inGate.has(test))
for (const test of nowhere) process.stderr.write(`runs nowhere: ${test}\n`)
process.stdout.write(`figure: browser tests that the gate runs at one width or both: ${inGate.size}\n`)
process.exitCode = nowhere.length === 0 ? 0 : 1
