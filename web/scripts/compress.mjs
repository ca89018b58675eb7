// Writes .br, .gz and .zst files beside every text file of dist/, so that the server never compresses during a request.
// The page template stays uncompressed, because the server fills it in per request.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'

const DIST = new URL('../dist/', import.meta.url).pathname
const TEXT = new Set(['.css', '.js', '.json', '.svg', '.txt', '.webmanifest', '.xml'])
const WORTH_IT_BYTES = 512

const files = await readdir(DIST, { recursive: true, withFileTypes: true })
let written = 0
for (const file of files) {
  const path = join(file.parentPath, file.name)
  if (!file.isFile() || !TEXT.has(extname(file.name)) || path.includes('/.vite/')) continue
  const plain = await readFile(path)
  if (plain.length <= WORTH_IT_BYTES) continue
  const brotli = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  }
  const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 19 } }
  await Promise.all([
    writeFile(`${path}.br`, brotliCompressSync(plain, brotli)),
    writeFile(`${path}.gz`, gzipSync(plain, { level: 9 })),
    writeFile(`${path}.zst`, zstdCompressSync(plain, zstd)),
  ])
  written += 1
}
console.log(`compressed ${written} files`)
