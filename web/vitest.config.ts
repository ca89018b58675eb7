import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vite.config.ts'

const SETUP = 'src/test/setup.ts'
/** `STALL_MS=1000 npm test` delays every action of a test. The tests mostly wait, so many can run at once. */
const STALLING = { setupFiles: [SETUP, 'src/test/stalling.ts'], maxWorkers: 10, testTimeout: 300_000 }

/** `LATE_MS=300 npm test` delays every response and every dynamic import. */
const LATE = { setupFiles: [SETUP, 'src/test/late.ts'], maxWorkers: 6, testTimeout: 60_000 }
/** Rewrites the app's dynamic imports, so that `src/test/late.ts` can delay them. */
const lateParts = {
  name: 'late-parts',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    /\/src\/(?!test\/).*\.tsx?$/.test(id) && !/\.test\./.test(id)
      ? code.replace(
          /(?<!typeof )\bimport\(('[^']+')\)/g,
          '(globalThis.late?.() ?? Promise.resolve()).then(() => import($1))',
        )
      : null,
}

export default mergeConfig(
  base,
  defineConfig({
    plugins: process.env.LATE_MS ? [lateParts] : [],
    test: {
      environment: 'happy-dom',
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: [SETUP],
      restoreMocks: true,
      // By default one core is left idle.
      maxWorkers: '100%',
      expect: { poll: { timeout: 3_500 } },
      // This is longer than every wait in a test, so that a failed wait reports what is missing.
      testTimeout: 30_000,
      ...(process.env.STALL_MS ? STALLING : {}),
      ...(process.env.LATE_MS ? LATE : {}),
    },
  }),
)
