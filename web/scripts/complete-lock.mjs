// Adds the native packages of other platforms to package-lock.json. With a registry mirror that has only this
// platform's packages, `npm install` leaves the others out, and `npm ci` then refuses the file everywhere. Run it after
// every `npm install` (`npm run lock`).
import { readFile, writeFile } from 'node:fs/promises'

const FILE = new URL('../package-lock.json', import.meta.url)
const SYSTEMS = ['android', 'darwin', 'win32', 'linux', 'freebsd', 'openharmony']
const CHIPS = ['arm64', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32', 'arm']

function describe(name, version, parent) {
  const system = SYSTEMS.find((each) => name.includes(`-${each}`))
  const chip = CHIPS.find((each) => new RegExp(`-${each}(le|-|$)`).test(name))
  const libc = name.includes('musl')
    ? 'musl'
    : system === 'linux' && name.includes('gnu')
      ? 'glibc'
      : undefined
  return {
    version,
    ...(chip ? { cpu: [chip] } : {}),
    ...(parent.dev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    ...(parent.license ? { license: parent.license } : {}),
    optional: true,
    ...(system ? { os: [system] } : {}),
  }
}

const lock = JSON.parse(await readFile(FILE, 'utf8'))
let added = 0
for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key] || lock.packages[`${path}/${key}`] || !/^\d/.test(version)) continue
    lock.packages[key] = describe(name, version, parent)
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
await writeFile(FILE, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`added ${added} packages of other platforms`)
