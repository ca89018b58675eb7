import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { inventoryApi, newRequestId, type Supplier, suppliers } from '@/features/inventory/api'
import { SAVE_TEXTS } from '@/features/inventory/texts'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { TextField } from '@/ui/field'
import { PeopleIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { StatePanel } from '@/ui/state-panel'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const FIELDS = ['name', 'phone', 'pan', 'note'] as const
type FieldName = (typeof FIELDS)[number]

/** The suppliers, with a form to add and change them. */
export function SuppliersPanel() {
  const t = useT()
  const query = useQuery(suppliers)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const [editing, setEditing] = useState<Supplier | null>(null)
  const [round, setRound] = useState(0)
  const next = (supplier: Supplier | null) => {
    setEditing(supplier)
    setRound(round + 1)
  }
  return (
    <div className="stock">
      <SupplierForm key={round} supplier={editing} onDone={() => next(null)} />
      <LoadState
        query={query}
        problem="seller.inventory.failed"
        skeleton={<div className="stock-skeleton skeleton" />}
      >
        {(all) =>
          all.length === 0 ? (
            <StatePanel
              icon={<PeopleIcon size={36} />}
              title={t('seller.inventory.suppliersNone')}
              text={t('seller.inventory.suppliersNoneText')}
            />
          ) : (
            <ul className="stock-lines">
              {all.map((supplier) => (
                <li key={supplier._id} className="stock-line stock-batch" data-testid="supplier">
                  <p>
                    <strong translate="no">{supplier.name}</strong>
                    {supplier.isArchived ? (
                      <span className="muted"> · {t('seller.inventory.archived')}</span>
                    ) : null}
                    <br />
                    <span className="muted" translate="no">
                      {[supplier.phone, supplier.pan && `PAN ${supplier.pan}`, supplier.note]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </p>
                  <button
                    type="button"
                    className="button button-plain"
                    aria-label={t('seller.inventory.editSupplier', { name: supplier.name })}
                    onClick={() => next(supplier)}
                  >
                    {t('seller.inventory.edit')}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </LoadState>
    </div>
  )
}

function SupplierForm({ supplier, onDone }: { supplier: Supplier | null; onDone: () => void }) {
  const t = useT()
  const [id] = useState(() => supplier?._id ?? newRequestId())
  const form = useForm<FieldName>({
    id: 'supplier',
    names: FIELDS,
    check: (read) => (read('name').trim() ? {} : { name: 'seller.inventory.supplierNameNeeded' }),
    onError: (error) => {
      if (handleSellerSessionEnded(error)) return undefined
      const { field } = (error instanceof ApiError && (error.data as { field?: FieldName } | undefined)) || {}
      return failure(serverText(error, SAVE_TEXTS), field)
    },
  })
  const save = async (read: (name: string) => string) => {
    await inventoryApi.saveSupplier(id, {
      name: read('name'),
      phone: read('phone'),
      pan: read('pan'),
      note: read('note'),
      isArchived: read('isArchived') === 'on',
    })
    toast.success('seller.inventory.supplierSaved')
    onDone()
  }
  return (
    <form className="form box" method="post" aria-labelledby="supplier-title" {...form.bind(save)}>
      <h2 id="supplier-title">
        {t(supplier ? 'seller.inventory.changeSupplier' : 'seller.inventory.addSupplier')}
      </h2>
      <TextField
        {...form.field('name')}
        label={t('seller.inventory.supplierName')}
        maxLength={100}
        defaultValue={supplier?.name}
      />
      <div className="stock-fields">
        <TextField
          {...form.field('phone')}
          label={t('seller.inventory.phone')}
          mark="optional"
          type="tel"
          defaultValue={supplier?.phone}
        />
        <TextField
          {...form.field('pan')}
          label={t('seller.inventory.pan')}
          mark="optional"
          inputMode="numeric"
          maxLength={12}
          defaultValue={supplier?.pan}
        />
      </div>
      <TextField
        {...form.field('note')}
        label={t('seller.inventory.note')}
        mark="optional"
        maxLength={300}
        defaultValue={supplier?.note}
      />
      {supplier ? (
        <label className="stock-check">
          <input type="checkbox" name="isArchived" defaultChecked={supplier.isArchived} />{' '}
          {t('seller.inventory.archive')}
        </label>
      ) : null}
      <SubmitButton busy={form.busy}>{t('seller.inventory.saveSupplier')}</SubmitButton>
    </form>
  )
}
