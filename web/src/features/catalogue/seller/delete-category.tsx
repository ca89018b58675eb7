import { useState } from 'react'
import { ApiError } from '@/api/client'
import { categoriesApi, type SellerCategory } from '@/features/catalogue/seller/categories-api'
import { categoryErrorText } from '@/features/catalogue/seller/category-values'
import { messageText, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type DeleteCategoryProps = {
  category: SellerCategory
  onDeleted: () => void
  onClose: (stale: boolean) => void
}

/** Tells the seller in advance that the server would refuse: products still use the category. */
export function DeleteCategory({ category, onDeleted, onClose }: DeleteCategoryProps) {
  const t = useT()
  const [busy, run] = useBusy()
  const inUse = (n: number) => `${t('seller.categories.inUse', { n })} ${t('seller.categories.inUseHelp')}`
  const [failed, setFailed] = useState<string | null>(null)
  const remove = () =>
    run(async () => {
      try {
        await categoriesApi.remove(category)
      } catch (error) {
        const text = categoryErrorText(error, 'seller.categories.deleteFailed')
        toast.error(text.toast)
        const used = error instanceof ApiError && error.code === 'category_in_use'
        const n = (used && (error.data as { products?: number } | undefined)?.products) || 0
        setFailed(n > 0 ? inUse(n) : messageText(text.inline))
        return
      }
      toast.success('seller.categories.deleted')
      onDeleted()
    })
  const warning = category.totalproducts > 0 ? inUse(category.totalproducts) : undefined
  return (
    <ConfirmDialog
      id="delete-category"
      title={t('seller.categories.deleteTitle')}
      text={t('seller.categories.deleteText', { name: localText(category, 'name', useLang()) })}
      confirm={t('seller.products.delete')}
      busy={busy}
      problem={failed ?? warning}
      onConfirm={() => void remove()}
      onCancel={() => onClose(failed !== null)}
    />
  )
}
