import '@/styles/account.css'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { authDialog } from '@/features/accounts/auth-dialog'
import { LoginButton } from '@/features/accounts/header-account'
import { prefetchSession, useUser } from '@/features/accounts/session'
import { handleSessionEnded, userStorageKey } from '@/features/accounts/sign-in-out'
import { AddressForm, EMPTY_ADDRESS } from '@/features/addresses/address-form'
import { type AddressFields, addressesApi, refetchAddresses } from '@/features/addresses/api'
import { t as textOf, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { AdSlot } from '@/ui/ad-slot'
import { usePageTitle } from '@/ui/page-title'
import { toast } from '@/ui/toast'
import type { FormFailure } from '@/ui/use-form'

const DRAFT = userStorageKey('address')

/** The draft survives a visit to the identity provider, but not the end of the tab. */
function readDraft(): AddressFields {
  const fresh = { ...EMPTY_ADDRESS, country: textOf('address.nepal') }
  try {
    return { ...fresh, ...JSON.parse(sessionStorage.getItem(DRAFT) ?? '{}') }
  } catch {
    return fresh
  }
}

function saveDraft(values: AddressFields | null) {
  try {
    if (values) sessionStorage.setItem(DRAFT, JSON.stringify(values))
    else sessionStorage.removeItem(DRAFT)
  } catch {
    // Storage may be forbidden; the form still holds the values.
  }
}

export function AddAddressPage() {
  const t = useT()
  const navigate = useNavigate()
  const { user, pending } = useUser()
  const [values, setValues] = useState(readDraft)
  usePageTitle(t('address.title'))
  useEffect(() => {
    void prefetchSession('user')
  }, [])

  // The shopper's known phone number is filled in.
  const phone = user?.phone
  useEffect(() => {
    if (phone) setValues((typed) => (typed.phone ? typed : { ...typed, phone }))
  }, [phone])

  const change = (next: AddressFields) => {
    setValues(next)
    saveDraft(next)
  }
  const canSave = () => {
    if (user || pending) return true
    authDialog.show('login')
    return false
  }
  const save = async (fields: AddressFields) => {
    await addressesApi.add(fields)
    saveDraft(null)
    await refetchAddresses()
    toast.success('address.ok')
    void navigate({ to: paths.cart })
  }
  const onError = (error: unknown): FormFailure | undefined => {
    if (handleSessionEnded(error)) {
      // A sign-out removes drafts, but this one is still needed.
      saveDraft(values)
      authDialog.show('login')
      return undefined
    }
    const text = error instanceof ApiError ? 'address.failed' : 'address.error'
    return { toast: text, problem: serverText(error, { refused: text, broken: text }) }
  }

  return (
    <div className="wrap page narrow">
      <h1>{t('address.title')}</h1>
      {user || pending ? null : (
        <div className="notice notice-row">
          <p>{t('address.loginFirst')}</p>
          <LoginButton className="button button-primary" />
        </div>
      )}
      <AddressForm values={values} onChange={change} canSave={canSave} save={save} onError={onError} />
      <AdSlot />
    </div>
  )
}
