import { useState } from 'react'
import { Refusal } from '@/api/client'
import { categoriesApi, type SellerCategory } from '@/features/catalogue/seller-categories-api'
import { categoryFailure } from '@/features/catalogue/seller-category-values'
import { say, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type DeleteCategoryProps = {
  category: SellerCategory
  onDeleted: () => void
  onClose: (stale: boolean) => void
}

/** Says beforehand what the server would refuse: products that still use the category. */
export function DeleteCategory({ category, onDeleted, onClose }: DeleteCategoryProps) {
  const t = useT()
  const [busy, run] = useBusy()
  const inUse = (n: number) => `${t('scat.inUse', { n })} ${t('scat.inUseHelp')}`
  const [failed, setFailed] = useState<string | null>(null)
  const remove = () =>
    run(async () => {
      try {
        await categoriesApi.remove(category)
      } catch (error) {
        const text = categoryFailure(error, 'scat.deleteFailed')
        toast.error(text.toast)
        const used = error instanceof Refusal && error.code === 'category_in_use'
        const n = (used && (error.data as { products?: number } | undefined)?.products) || 0
        setFailed(n > 0 ? inUse(n) : say(text.inline))
        return
      }
      toast.success('scat.deleted')
      onDeleted()
    })
  const warning = category.totalproducts > 0 ? inUse(category.totalproducts) : undefined
  return (
    <ConfirmDialog
      id="delete-category"
      title={t('scat.deleteTitle')}
      text={t('scat.deleteText', { name: localText(category, 'name', useLang()) })}
      confirm={t('sprod.delete')}
      busy={busy}
      problem={failed ?? warning}
      onConfirm={() => void remove()}
      onCancel={() => onClose(failed !== null)}
    />
  )
}
