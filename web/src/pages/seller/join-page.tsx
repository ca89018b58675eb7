import '@/styles/seller.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { sessions } from '@/features/accounts/session'
import { ROLE_TEXT } from '@/features/staff/roles'
import { staffApi } from '@/features/staff/staff-api'
import { messageText, useT } from '@/lib/i18n'
import { takeLinkToken } from '@/lib/link-token'
import { paths } from '@/lib/paths'
import { PasswordField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { usePageTitle } from '@/ui/page-title'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

/** The page behind the link of an invitation; the layout draws its frame. */
export function JoinPage() {
  const t = useT()
  usePageTitle(t('seller.join.title'))
  const [token] = useState(takeLinkToken)
  const invitation = useQuery({
    queryKey: ['seller', 'invitation', token],
    queryFn: () => staffApi.invitation(token),
    enabled: token !== '',
    retry: false,
  })
  return (
    <div className="box first-password">
      <h1>{t('seller.join.title')}</h1>
      {invitation.data ? (
        <JoinForm token={token} {...invitation.data} />
      ) : token === '' || invitation.error ? (
        <>
          <p role="alert">
            {token === '' ? t('seller.join.invalid') : messageText(serverText(invitation.error, TEXTS))}
          </p>
          <Link className="link" to={paths.seller}>
            {t('seller.login.title')}
          </Link>
        </>
      ) : (
        <div className="seller-skeleton" aria-busy="true">
          <div className="skeleton" />
          <div className="skeleton" />
          <div className="skeleton" />
        </div>
      )}
    </div>
  )
}

type JoinFormProps = { token: string; email: string; name: string; role: string }

function JoinForm({ token, email, name, role }: JoinFormProps) {
  const t = useT()
  const navigate = useNavigate()
  const form = useForm<'name' | 'password'>({
    onError: (error) => {
      const code = (error instanceof ApiError && error.code) || ''
      const field = code.startsWith('password_') ? 'password' : code === 'name_invalid' ? 'name' : undefined
      return failure(serverText(error, TEXTS), field)
    },
  })
  const join = async (read: ReadField) => {
    const seller = await staffApi.accept(token, read('name').trim(), read('password'))
    queryClient.setQueryData(sessions.seller.queryKey, seller)
    toast.success('auth.loggedIn')
    void navigate({ to: paths.seller })
  }
  return (
    <form className="form" method="post" {...form.bind(join)}>
      <p>{t('seller.join.text', { role: t(ROLE_TEXT[role] ?? 'seller.staff.role') })}</p>
      <TextField
        label={t('auth.email')}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        readOnly
      />
      <TextField
        label={t('seller.join.name')}
        name="name"
        defaultValue={name}
        required
        maxLength={60}
        autoComplete="name"
        error={form.error('name')}
      />
      <PasswordField
        label={t('password.new')}
        hint={t('seller.join.passwordHint')}
        name="password"
        required
        autoComplete="new-password"
        error={form.error('password')}
      />
      <FormProblem problem={form.problem} announced={false} />
      <SubmitButton busy={form.busy} wide>
        {t('seller.join.accept')}
      </SubmitButton>
    </form>
  )
}
