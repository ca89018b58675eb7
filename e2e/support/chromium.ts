/**
 * Debian's own Chromium, so that every machine has the same browser and nothing is downloaded. The tests use its
 * headless shell: the same engine without the browser's own interface, which takes a quarter of the time.
 */
export const CHROMIUM = process.env.CHROME_PATH ?? '/usr/bin/chromium-headless-shell'
/** The complete browser, for features beside showing pages and for measurements. */
export const WHOLE_CHROMIUM = '/usr/bin/chromium'

/** Playwright's own list, repeated because a second list replaces the first, and two additions. */
const NOT_WANTED = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  // Every window of a headless Chromium loads the suggestions of its address bar as two pages: a third of a test's
  // time.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--disable-features=${NOT_WANTED.join()}`,
]

export const PHONE = { width: 360, height: 740 }
export const TABLET = { width: 768, height: 1024 }
export const DESKTOP = { width: 1280, height: 800 }
