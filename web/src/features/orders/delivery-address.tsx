import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoginButton } from '@/features/accounts/header-account'
import { hasSessionHint, type User, useUser } from '@/features/accounts/session'
import { addressesQuery } from '@/features/addresses/api'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { formatPhone } from '@/lib/phone'
import { createStore } from '@/lib/store'

/** Outlives the page, so that a chosen address is still chosen after the shopper has edited it. */
const picked = createStore<string | null>(null)

export type Destination = { line: string; phone: string; id?: string }

/** The delivery address: the chosen or default one of the address book; without a book, the address of the profile. */
export function useDestination(user: User | null) {
  const { data: book = [], isLoading } = useQuery({ ...addressesQuery, enabled: user !== null })
  const picking = picked.use()
  const chosen = book.find(({ _id }) => _id === picking) ?? book.find(({ isDefault }) => isDefault) ?? book[0]
  const to: Destination | null = !user
    ? null
    : chosen
      ? { line: chosen.line, phone: chosen.phone || user.phone, id: chosen._id }
      : user.address.trim()
        ? { line: user.address, phone: user.phone }
        : null
  /** `waiting` while the address book is loading, because it may replace the profile's address. */
  return { to, book, pick: picked.set, waiting: isLoading }
}

type DeliveryAddressProps = Pick<ReturnType<typeof useDestination>, 'to' | 'book' | 'pick'>

export function DeliveryAddress({ to, book, pick }: DeliveryAddressProps) {
  const t = useT()
  const { user, pending } = useUser()
  return (
    <section className="box" aria-labelledby="delivery-address" id="delivery">
      <h2 id="delivery-address" tabIndex={-1}>
        {t('cart.address')}
      </h2>
      {user ? (
        <>
          {book.length > 1 ? (
            <fieldset className="choices">
              <legend className="sr-only">{t('cart.address')}</legend>
              {book.map((address) => (
                <label key={address._id} className="choice">
                  <input
                    type="radio"
                    name="address"
                    checked={address._id === to?.id}
                    onChange={() => pick(address._id)}
                  />
                  <span>
                    {address.address ? <strong translate="no">{address.address}</strong> : null}
                    <span className="choice-text" translate="no">
                      {address.line}
                    </span>
                  </span>
                </label>
              ))}
            </fieldset>
          ) : to ? (
            <p className="delivery-line">
              {book[0]?.address ? <strong translate="no">{book[0].address}</strong> : null}
              <span translate="no">{to.line}</span>
              <span className="muted" translate="no">
                {formatPhone(to.phone)}
              </span>
            </p>
          ) : (
            <p className="muted">{t('cart.hint.address')}</p>
          )}
          <p className="link-row">
            {to ? null : (
              <Link className="link" to={paths.addAddress}>
                {t('cart.addAddress')}
              </Link>
            )}
            <Link className="link" to={paths.profile} state={{ editAddress: to?.id ?? '' }}>
              {t('cart.editAddress')}
            </Link>
            {to ? (
              <Link className="link" to={paths.addAddress}>
                {t('cart.addAddress')}
              </Link>
            ) : null}
          </p>
        </>
      ) : pending && hasSessionHint('user') ? (
        <p className="delivery-line skeleton" aria-hidden="true" />
      ) : (
        <div className="delivery-login">
          <p>{t('cart.loginForAddress')}</p>
          <LoginButton className="button button-outline" />
        </div>
      )}
    </section>
  )
}
