import type { Page } from '@playwright/test'
import type { BuyingScreen } from './buying-screens.ts'

type Camera = 'refused' | string[]

/** Headless Chromium has neither a camera nor a reader of barcodes, so the page gets a drawn one. */
async function openCamera(page: Page, camera: Camera) {
  await page.addInitScript((camera) => {
    class BarcodeDetector {
      static getSupportedFormats = async () => ['ean_13']
      detect = async () => (camera === 'refused' ? [] : camera.map((rawValue) => ({ rawValue })))
    }
    const getUserMedia = async () => {
      if (camera === 'refused') throw new DOMException('Permission denied', 'NotAllowedError')
      const canvas = document.createElement('canvas')
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('no canvas')
      pen.fillStyle = '#d8d2c4'
      pen.fillRect(0, 0, canvas.width, canvas.height)
      pen.fillStyle = '#1d1d1b'
      for (let x = 90; x < 210; x += 6) pen.fillRect(x, 45, (x % 4) + 1, 60)
      return canvas.captureStream()
    }
    Object.assign(window, { BarcodeDetector })
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia } })
  }, camera)
  await page.goto('/products')
  await page.locator('header .search-scan').click()
  await page.locator('#scan').waitFor()
}

const scan = (name: string, camera: Camera, shown: string): BuyingScreen => ({
  name,
  path: '/about',
  who: 'visitor',
  prepare: async (page) => {
    await openCamera(page, camera)
    await page.locator(shown).waitFor()
  },
})

export const SCAN_SCREENS: BuyingScreen[] = [
  scan('scan-barcode', [], '#scan video'),
  scan('scan-barcode-unknown', ['4006381333931'], '#scan .button'),
  scan('scan-barcode-refused', 'refused', '#scan:not(:has(video))'),
]
