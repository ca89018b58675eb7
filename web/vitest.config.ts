import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vite.config.ts'

const SETUP = 'src/test/setup.ts'
// `STALL_MS=1000 npm test`, now and then. It mostly waits, so many can wait at once.
const STALLING = { setupFiles: [SETUP, 'src/test/stalling.ts'], maxWorkers: 10, testTimeout: 300_000 }

// `LATE_MS=300 npm test`, too.
const LATE = { setupFiles: [SETUP, 'src/test/late.ts'], maxWorkers: 6, testTimeout: 60_000 }
/** What the app fetches when it is needed comes late. */
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
      expect: { poll: { timeout: 3_500 } },
      // Longer than the longest wait (the line above, and src/test/setup.ts), so that it is the wait that says what did not come.
      testTimeout: 30_000,
      ...(process.env.STALL_MS ? STALLING : {}),
      ...(process.env.LATE_MS ? LATE : {}),
    },
  }),
)
