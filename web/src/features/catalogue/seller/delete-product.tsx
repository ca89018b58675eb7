import { useState } from 'react'
import { errorText } from '@/features/catalogue/seller/error-text'
import { productsApi } from '@/features/catalogue/seller/product-mutations'
import type { SellerProduct } from '@/features/catalogue/seller/products-api'
import { type MessageId, messageText, type RawText, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type DeleteProductProps = {
  product: SellerProduct
  onDeleted: () => void
  /** `stale` is true when the list may be out of date. */
  onClose: (stale: boolean) => void
}

export function DeleteProduct({ product, onDeleted, onClose }: DeleteProductProps) {
  const t = useT()
  const name = localText(product, 'name', useLang())
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const remove = () =>
    run(async () => {
      setProblem(null)
      try {
        await productsApi.remove(product)
      } catch (error) {
        const text = errorText(error)
        toast.error(text)
        setProblem(text)
        return
      }
      toast.success('seller.products.deleted')
      onDeleted()
    })
  return (
    <ConfirmDialog
      id="delete-product"
      title={t('seller.products.deleteTitle')}
      text={t('seller.products.deleteText', { name })}
      confirm={t('seller.products.delete')}
      busy={busy}
      onConfirm={() => void remove()}
      onCancel={() => onClose(problem !== null)}
      problem={problem ? messageText(problem) : undefined}
    />
  )
}
