import { useEffect, useState } from 'react'
import type { Product } from '@/features/catalogue/api'
import { canScan } from '@/features/catalogue/barcode-camera'
import { useT } from '@/lib/i18n'
import { Outline } from '@/ui/icons'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

const ScanDialog = lazyWithRetry(async () => (await import('@/features/catalogue/scan-dialog')).ScanDialog)

/** Opens the camera to find a product by its barcode; nothing where the browser cannot read barcodes. */
export function ScanButton({ onFound }: { onFound: (product: Product) => void }) {
  const t = useT()
  const [works, setWorks] = useState(false)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    canScan().then(setWorks, () => {})
  }, [])
  if (!works) return null
  return (
    <>
      <button
        type="button"
        className="search-clear search-scan"
        aria-label={t('scan.title')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Outline d="M3 8V5h3M18 5h3v3M21 16v3h-3M6 19H3v-3M7 8v8M10.5 8v8M13.5 8v8M17 8v8" />
      </button>
      {open ? (
        <ScanDialog
          onFound={(product) => {
            setOpen(false)
            onFound(product)
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
