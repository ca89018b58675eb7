import '@/styles/scan.css'
import { useEffect, useRef, useState } from 'react'
import { api, unwrap } from '@/api/client'
import { cacheProducts, type Product } from '@/features/catalogue/api'
import { spellings, watchCamera } from '@/features/catalogue/barcode-camera'
import { useT } from '@/lib/i18n'
import { Dialog } from '@/ui/dialog'

async function findByBarcode(barcode: string): Promise<Product | undefined> {
  for (const search of spellings(barcode)) {
    const query = { limit: 1, search }
    const page = unwrap(await api.GET('/api/product/get_products', { params: { query } }))
    const [product] = [...page.data, ...page.matches]
    if (product) {
      cacheProducts([product])
      return product
    }
  }
  return undefined
}

type ScanState = 'watching' | 'searching' | 'nothing' | 'failed' | 'denied' | 'unavailable'

type ScanDialogProps = { onFound: (product: Product) => void; onClose: () => void }

/** The camera in a dialog: the first barcode that it sees leads to its product. */
export function ScanDialog({ onFound, onClose }: ScanDialogProps) {
  const t = useT()
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<ScanState>('watching')
  const [barcode, setBarcode] = useState('')
  const found = useRef(onFound)
  useEffect(() => {
    found.current = onFound
  })

  useEffect(() => {
    if (state !== 'watching' || !video.current) return undefined
    return watchCamera(
      video.current,
      (seen) => {
        setBarcode(seen)
        setState('searching')
      },
      setState,
    )
  }, [state])

  useEffect(() => {
    if (state !== 'searching') return undefined
    let closed = false
    findByBarcode(barcode).then(
      (product) => {
        if (closed) return
        if (product) found.current(product)
        else setState('nothing')
      },
      () => closed || setState('failed'),
    )
    return () => {
      closed = true
    }
  }, [state, barcode])

  const isOver = state === 'nothing' || state === 'failed'
  return (
    <Dialog id="scan" variant="card" title={t('scan.title')} onClose={onClose}>
      {state === 'watching' || state === 'searching' ? (
        <div className="scan-view">
          <video ref={video} muted playsInline />
        </div>
      ) : null}
      <p role="status">{t(`scan.${state}`, { code: barcode })}</p>
      {isOver ? (
        <button
          type="button"
          className="button button-primary"
          onClick={() => setState(state === 'failed' ? 'searching' : 'watching')}
        >
          {t(state === 'failed' ? 'retry' : 'scan.again')}
        </button>
      ) : null}
    </Dialog>
  )
}
