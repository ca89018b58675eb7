import { errorText } from '@/features/catalogue/seller/error-text'
import { DownloadButton } from '@/features/staff/download-button'
import { useT } from '@/lib/i18n'
import { FileIcon } from '@/ui/icons-forms'
import { toast } from '@/ui/toast'

export function ExportButton() {
  const t = useT()
  return (
    <DownloadButton
      address="/api/product/export_products.csv"
      name="products.csv"
      icon={<FileIcon />}
      label={t('seller.products.export')}
      onFailed={(error) => toast.error(errorText(error))}
    />
  )
}
