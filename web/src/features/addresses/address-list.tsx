import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { serverText } from '@/api/server-text'
import { useUser } from '@/features/accounts/session'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { AddressForm, EMPTY_ADDRESS } from '@/features/addresses/address-form'
import {
  type Address,
  type AddressFields,
  addressesApi,
  addressesQuery,
  refetchAddresses,
} from '@/features/addresses/api'
import { type MessageId, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { formatPhone } from '@/lib/phone'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { Dialog } from '@/ui/dialog'
import { LoadState } from '@/ui/load-state'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'
import { failure } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

type AddressListProps = {
  /** The id of the address whose form is open from the start. */
  open?: string | undefined
  /** Called when that address has been saved. */
  onOpenedSaved?: () => void
}

export function AddressList({ open, onOpenedSaved }: AddressListProps) {
  const t = useT()
  const addresses = useQuery({ ...addressesQuery, enabled: useUser().user !== null })
  const [editing, setEditing] = useState<Address | null>(null)
  const [deleting, setDeleting] = useState<Address | null>(null)
  const [busy, run] = useBusy()
  const add = useRef<HTMLAnchorElement>(null)
  const opened = useRef(false)
  useEffect(() => {
    const wanted = addresses.data?.find(({ _id }) => _id === open)
    if (!wanted || opened.current) return
    opened.current = true
    setEditing(wanted)
  }, [addresses.data, open])
  const nameOf = (address: Address) => address.address || t('address.ofProfile')

  const change = (work: () => Promise<unknown>, done: MessageId) =>
    run(async () => {
      try {
        await work()
        await refetchAddresses()
        toast.success(done)
      } catch (error) {
        if (!handleSessionEnded(error)) toast.error(serverText(error, TEXTS))
      }
    })
  const remove = async (address: Address) => {
    await change(() => addressesApi.remove(address._id), 'address.deleted')
    setDeleting(null)
    // The pressed button has disappeared with its row.
    setTimeout(() => add.current?.focus())
  }

  return (
    <div className="form">
      <LoadState
        query={addresses}
        problem="address.loadProblem"
        skeleton={<div className="disclosure-skeleton skeleton" />}
      >
        {(list) =>
          list.length === 0 ? (
            <p className="muted">{t('address.none')}</p>
          ) : (
            <ul className="rows">
              {list.map((address) => (
                <li key={address._id}>
                  <div>
                    <p className="row-title">
                      <span translate="no">{nameOf(address)}</span>{' '}
                      {address.isDefault ? (
                        <span className="badge badge-current">{t('address.default')}</span>
                      ) : null}
                    </p>
                    <p translate="no">{address.line}</p>
                    <p className="muted" translate="no">
                      {formatPhone(address.phone)}
                    </p>
                  </div>
                  <div className="button-row">
                    {address.isDefault ? null : (
                      <button
                        type="button"
                        className="button button-plain"
                        aria-busy={busy}
                        onClick={() =>
                          void change(
                            () =>
                              addressesApi.update(address._id, {
                                ...toAddressFields(address),
                                isDefault: true,
                              }),
                            'address.updated',
                          )
                        }
                      >
                        {t('address.makeDefault')}
                      </button>
                    )}
                    <button
                      type="button"
                      className="button button-plain"
                      aria-label={t('address.editOf', { name: nameOf(address) })}
                      onClick={() => setEditing(address)}
                    >
                      {t('profile.edit')}
                    </button>
                    <button
                      type="button"
                      className="button button-plain"
                      aria-label={t('address.deleteOf', { name: nameOf(address) })}
                      onClick={() => setDeleting(address)}
                    >
                      {t('address.delete')}
                    </button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </LoadState>
      <div className="button-row">
        <Link ref={add} className="button button-outline" to={paths.addAddress}>
          {t('address.add')}
        </Link>
      </div>
      {editing ? (
        <EditAddress
          address={editing}
          onClose={() => setEditing(null)}
          onSaved={editing._id === open ? onOpenedSaved : undefined}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          id="delete-address"
          title={t('address.deleteTitle')}
          text={t('address.deleteText', { name: nameOf(deleting) })}
          about={nameOf(deleting)}
          confirm={t('address.delete')}
          busy={busy}
          onConfirm={() => void remove(deleting)}
          onCancel={() => setDeleting(null)}
        />
      ) : null}
    </div>
  )
}

/** Keeps only the fields of the form; the others belong to the server. */
function toAddressFields(address: Address): AddressFields {
  const names = Object.keys(EMPTY_ADDRESS) as (keyof AddressFields)[]
  return Object.fromEntries(names.map((name) => [name, String(address[name] ?? '')])) as AddressFields
}

type EditAddressProps = { address: Address; onClose: () => void; onSaved: (() => void) | undefined }

function EditAddress({ address, onClose, onSaved }: EditAddressProps) {
  const t = useT()
  const [values, setValues] = useState(() => toAddressFields(address))
  const save = async (fields: AddressFields) => {
    await addressesApi.update(address._id, fields)
    await refetchAddresses()
    onClose()
    toast.success('address.updated')
    onSaved?.()
  }
  return (
    <Dialog id="edit-address" variant="form" title={t('address.edit')} onClose={onClose}>
      <AddressForm
        values={values}
        onChange={setValues}
        save={save}
        onError={(error) => (handleSessionEnded(error) ? undefined : failure(serverText(error, TEXTS)))}
      />
    </Dialog>
  )
}
