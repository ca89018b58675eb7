import { useState } from 'react'
import { failureText } from '@/features/catalogue/seller-failure'
import type { SellerProduct } from '@/features/catalogue/seller-products-api'
import { productsApi } from '@/features/catalogue/seller-products-write'
import { type MessageId, type RawText, say, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type DeleteProductProps = {
  product: SellerProduct
  onDeleted: () => void
  /** `stale` when the list may show what is no longer so. */
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
        const text = failureText(error)
        toast.error(text)
        setProblem(text)
        return
      }
      toast.success('sprod.deleted')
      onDeleted()
    })
  return (
    <ConfirmDialog
      id="delete-product"
      title={t('sprod.deleteTitle')}
      text={t('sprod.deleteText', { name })}
      confirm={t('sprod.delete')}
      busy={busy}
      onConfirm={() => void remove()}
      onCancel={() => onClose(problem !== null)}
      problem={problem ? say(problem) : undefined}
    />
  )
}
