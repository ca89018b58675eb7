/** Inserted by build/service-worker.ts: what the build knows and the worker cannot. */
declare const BUILT: {
  /** The first script of this build's pages; a page that started with another one belongs to another build. */
  entry: string
  /** The files of the shopping pages. */
  files: string[]
  /** The additional files for Nepali. */
  nepali: string[]
  /** Shown for a page that this device has never loaded. */
  offlinePage: string
}
