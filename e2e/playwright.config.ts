import { defineConfig } from '@playwright/test'
import { CHROMIUM, CHROMIUM_FLAGS, DESKTOP, PHONE } from './support/chromium.ts'

/** Products come and go and the shop says other things of itself: nobody who counts or reads may look on. */
const CHANGES_THE_SHOP = /seller-(?!login|orders)[a-z-]+\.spec\.ts/
/**
 * What a project leaves to the other: tests that are tagged for that width, and of the files named here, whose outcome the other
 * width has not changed so far, all but those tagged for this one. ALL=1 runs them at both, as before a release.
 */
function leaves(tag: '@phone' | '@desktop', files: string): RegExp {
  const others = tag === '@phone' ? '@desktop' : '@phone'
  return new RegExp(process.env.ALL ? others : `${others}|(^| )(${files})\\.spec\\.ts (?!.*${tag})`)
}
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
  timeout: process.env.SLOW_MO ? 300_000 : 30_000,
  expect: { timeout: 7_000 },
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
  // A test whose outcome no width can change carries the tag of the one project that runs it; whole files of such stand here.
  projects: [
    {
      name: 'phone',
      grepInvert: leaves('@phone', 'failures|payment|profile|login|account-menu|keyboard'),
      testIgnore: CHANGES_THE_SHOP,
      use: ON_A_PHONE,
    },
    {
      name: 'desktop',
      grepInvert: leaves('@desktop', 'newsletter|search|addresses|categories|language|first-html'),
      testIgnore: CHANGES_THE_SHOP,
      use: ON_A_DESK,
    },
    // After the others; `--no-deps` runs them alone.
    {
      name: 'seller-phone',
      grepInvert: leaves('@phone', 'seller-(?!products)[a-z-]+'),
      testMatch: CHANGES_THE_SHOP,
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
