/** Written in by build/service-worker.ts: what the build knows and the worker cannot. */
declare const BUILT: {
  /** The first script of the pages of this build; a page that began with another one is of another build. */
  entry: string
  /** The files of the pages one shops with. */
  files: string[]
  /** What Nepali needs beside them. */
  nepali: string[]
  /** Stands in for a page that this device has never seen. */
  offlinePage: string
}
