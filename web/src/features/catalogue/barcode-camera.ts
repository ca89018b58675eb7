/** The part of the Shape Detection API that we use; not every browser has it. */
type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

const FORMATS = ['ean_13', 'ean_8', 'upc_a']
const BARCODE = /^(\d{8}|\d{12}|\d{13})$/
const LOOK_EVERY_MS = 200

const detectorClass = () => (window as { BarcodeDetector?: DetectorClass }).BarcodeDetector

/** Whether this browser reads the barcodes of goods. Some have the interface, but no formats. */
export async function canScan(): Promise<boolean> {
  if (!navigator.mediaDevices) return false
  const formats = await detectorClass()?.getSupportedFormats()
  return formats?.includes('ean_13') ?? false
}

/** The barcode without the zero that turns the 12 digits of a UPC-A into an EAN-13, and with it. */
export function spellings(barcode: string): string[] {
  if (barcode.length === 12) return [barcode, `0${barcode}`]
  return barcode.length === 13 && barcode.startsWith('0') ? [barcode, barcode.slice(1)] : [barcode]
}

/**
 * Shows the camera in the element and calls back with the first barcode that it sees. Returns what ends it; afterwards the
 * camera is off.
 */
export function watchCamera(
  video: HTMLVideoElement,
  onBarcode: (barcode: string) => void,
  onProblem: (problem: 'denied' | 'unavailable') => void,
): () => void {
  let stream: MediaStream | undefined
  let stopped = false
  const stop = () => {
    stopped = true
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  const look = async (detector: Detector) => {
    while (!stopped) {
      // A video without a picture yet cannot be read.
      const codes = await detector.detect(video).catch(() => [])
      const found = codes.find(({ rawValue }) => BARCODE.test(rawValue))
      if (found && !stopped) {
        stop()
        onBarcode(found.rawValue)
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  }
  const start = async () => {
    const Detector = detectorClass()
    if (!Detector) throw new Error('This browser reads no barcodes.')
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    // The dialog may have been closed while the browser asked for permission.
    if (stopped) return stop()
    video.srcObject = stream
    await video.play()
    return look(new Detector({ formats: FORMATS }))
  }
  start().catch((error: unknown) => {
    if (stopped) return
    stop()
    onProblem(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'unavailable')
  })
  return stop
}
