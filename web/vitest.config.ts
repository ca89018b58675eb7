import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vite.config.ts'

const SETUP = 'src/test/setup.ts'
// `STALL_MS=1000 npm test`, now and then. It mostly waits, so many can wait at once.
const STALLING = { setupFiles: [SETUP, 'src/test/stalling.ts'], maxWorkers: 10, testTimeout: 300_000 }

export default mergeConfig(
  base,
  defineConfig({
    test: {
      environment: 'happy-dom',
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: [SETUP],
      restoreMocks: true,
      expect: { poll: { timeout: 3_500 } },
      // Longer than the longest wait (the line above, and src/test/setup.ts), so that it is the wait that says what did not come.
      testTimeout: 30_000,
      ...(process.env.STALL_MS ? STALLING : {}),
    },
  }),
)
