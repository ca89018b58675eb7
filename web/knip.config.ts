import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  // The tests load these two on request only.
  entry: ['scripts/*.mjs', 'sw/sw.ts', 'src/test/stalling.ts', 'src/test/late.ts'],
  project: ['src/**/*.{ts,tsx}', 'build/**/*.ts', 'sw/**/*.ts', 'scripts/**/*.mjs'],
  // Written by tools/openapi; it names more than one screen uses.
  ignore: ['src/api/schema.gen.ts'],
}

export default config
