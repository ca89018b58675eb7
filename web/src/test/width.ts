type HappyDom = { setViewport: (viewport: { width: number; height: number }) => void }

/** Makes the window as wide as a phone (360) or a desktop (1280); the default is 1024. */
export const setWidth = (width: number) =>
  (window as unknown as { happyDOM: HappyDom }).happyDOM.setViewport({ width, height: 740 })
