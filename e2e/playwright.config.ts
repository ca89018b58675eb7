import { defineConfig } from '@playwright/test'
import { CHROMIUM, CHROMIUM_FLAGS, DESKTOP, PHONE } from './support/chromium.ts'

const ON_A_PHONE = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const ON_DESKTOP = { viewport: DESKTOP }

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/set-up.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  retries: 0,
  // Far more than any test needs, because the machine may be busy.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [[process.env.CI ? 'dot' : 'line'], ['./support/failures.ts'], ['./support/totals.ts']],
  use: {
    // Workers read this file again after the set-up has set the URL of the shop.
    baseURL: process.env.SHOP_URL ?? '',
    launchOptions: {
      executablePath: CHROMIUM,
      args: CHROMIUM_FLAGS,
      // SLOW_MO=250 delays every browser action and finds tests that depend on being fast.
      slowMo: Number(process.env.SLOW_MO ?? 0),
    },
    // Only the offline tests allow the service worker.
    serviceWorkers: 'block',
    // Traces take a third of the time, so they are recorded on request only.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
  projects: [
    { name: 'phone', grepInvert: /@desktop|@own/, use: ON_A_PHONE },
    { name: 'desktop', grep: /@desktop|@both/, use: ON_DESKTOP },
    // Journeys that change or count the whole shop wait for all others; with --no-deps they run alone.
    { name: 'own', grep: /@own/, use: ON_A_PHONE, dependencies: ['phone', 'desktop'], workers: 1 },
  ],
})
