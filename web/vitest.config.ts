import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vite.config.ts'

export default mergeConfig(
  base,
  defineConfig({
    test: {
      environment: 'happy-dom',
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: ['src/test/setup.ts'],
      restoreMocks: true,
      expect: { poll: { timeout: 3_500 } },
      // Longer than the longest wait (the line above, and src/test/setup.ts), so that it is the wait that says what did not come.
      testTimeout: 30_000,
    },
  }),
)
