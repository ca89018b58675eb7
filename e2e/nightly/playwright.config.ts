import { defineConfig } from '@playwright/test'
import ordinary from '../playwright.config.ts'

/** Tests that depend on frames and fonts, at both widths, one at a time. */
export default defineConfig({
  ...ordinary,
  testDir: '.',
  outputDir: '../test-results/nightly',
  globalSetup: '../support/set-up.ts',
  reporter: 'line',
  workers: 1,
  projects: (ordinary.projects ?? []).map(({ grep: _wanted, grepInvert: _unwanted, ...project }) => project),
})
