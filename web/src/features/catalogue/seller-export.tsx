import { failureText } from '@/features/catalogue/seller-failure'
import { DownloadButton } from '@/features/seller/seller-download'
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
      label={t('sprod.export')}
      onFailed={(error) => toast.error(failureText(error))}
    />
  )
}
