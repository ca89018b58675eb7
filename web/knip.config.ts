import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  // Vitest loads the last two only if an environment variable asks for them.
  entry: ['scripts/*.mjs', 'sw/sw.ts', 'src/test/stalling.ts', 'src/test/late.ts'],
  project: ['src/**/*.{ts,tsx}', 'build/**/*.ts', 'sw/**/*.ts', 'scripts/**/*.mjs'],
  // This file is generated and contains types that the app does not use.
  ignore: ['src/api/schema.gen.ts'],
}

export default config
