import { defineConfig } from '@playwright/test'
import { CHROMIUM, CHROMIUM_FLAGS, DESKTOP, PHONE } from './support/chromium.ts'

/** Products come and go and the shop says other things of itself: nobody who counts or reads may look on. */
const CHANGES_THE_SHOP = /seller-(?!login|orders)[a-z-]+\.spec\.ts/
/** Files whose outcome the other width has not changed so far; ALL=1 runs everything at both, as before a release. */
const once = (...files: string[]) => (process.env.ALL ? [] : files.map((name) => `${name}.spec.ts`))
const ON_A_PHONE = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const ON_A_DESK = { viewport: DESKTOP }

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/set-up.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // CI's machine is shared: a test that needs a second try there is reported as flaky, and looked at, but stops nobody.
  retries: process.env.CI ? 1 : 0,
  timeout: 30_000,
  expect: { timeout: 7_000 },
  reporter: [[process.env.CI ? 'dot' : 'line'], ['./support/totals.ts']],
  use: {
    // Workers read this file again after the set-up has named the shop.
    baseURL: process.env.SHOP_URL ?? '',
    launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_FLAGS },
    // Traces cost a third of the time; ask for them when a failure needs one.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
  // A test whose outcome no width can change carries the tag of the one project that runs it; whole files of such stand here.
  projects: [
    {
      name: 'phone',
      grepInvert: /@desktop/,
      testIgnore: [
        CHANGES_THE_SHOP,
        ...once('failures', 'payment', 'profile', 'login', 'account-menu', 'keyboard'),
      ],
      use: ON_A_PHONE,
    },
    {
      name: 'desktop',
      grepInvert: /@phone/,
      testIgnore: [
        CHANGES_THE_SHOP,
        ...once('newsletter', 'search', 'addresses', 'categories', 'language', 'first-html'),
        ...once('people-accessibility'),
      ],
      use: ON_A_DESK,
    },
    // After the others; `--no-deps` runs them alone.
    {
      name: 'seller-phone',
      grepInvert: /@desktop/,
      testMatch: process.env.ALL ? CHANGES_THE_SHOP : /seller-(accessibility|products)\.spec\.ts/,
      dependencies: ['phone', 'desktop'],
      use: ON_A_PHONE,
    },
    {
      name: 'seller-desktop',
      grepInvert: /@phone/,
      testMatch: CHANGES_THE_SHOP,
      dependencies: ['phone', 'desktop'],
      use: ON_A_DESK,
    },
  ],
})
