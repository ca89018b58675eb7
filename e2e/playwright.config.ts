import { defineConfig } from '@playwright/test'
import { CHROMIUM, CHROMIUM_FLAGS, DESKTOP, PHONE } from './support/chromium.ts'

const ON_A_PHONE = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const ON_A_DESK = { viewport: DESKTOP }

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/set-up.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  retries: 0,
  // Far above what any test needs: the machine may be busy with something else.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [[process.env.CI ? 'dot' : 'line'], ['./support/totals.ts']],
  use: {
    // Workers read this file again after the set-up has named the shop.
    baseURL: process.env.SHOP_URL ?? '',
    launchOptions: {
      executablePath: CHROMIUM,
      args: CHROMIUM_FLAGS,
      // SLOW_MO=250 finds tests that count on being quick: so long passes around whatever the browser is told.
      slowMo: Number(process.env.SLOW_MO ?? 0),
    },
    // What is kept on the device has tests of its own, and there it is let in.
    serviceWorkers: 'block',
    // Traces cost a third of the time; ask for them when a failure needs one.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
  projects: [
    { name: 'phone', grepInvert: /@desktop/, use: ON_A_PHONE },
    { name: 'desktop', grep: /@desktop|@both/, use: ON_A_DESK },
  ],
})
