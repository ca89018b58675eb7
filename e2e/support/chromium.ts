/** Debian's own Chromium: the same browser on every machine of ours, and nothing is downloaded. */
export const CHROMIUM = process.env.CHROME_PATH ?? '/usr/bin/chromium'

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export const PHONE = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 800 }
