import '@/styles/seller-staff.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { sessions } from '@/features/accounts/session'
import { may } from '@/features/staff/permissions'
import { ROLE_TEXT } from '@/features/staff/roles'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import {
  ROLES,
  type StaffInvitation,
  type StaffMember,
  staffApi,
  staffList,
} from '@/features/staff/staff-api'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { SelectField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { PlusIcon } from '@/ui/icons'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'seller.staff.failed', broken: 'seller.staff.error' } as const
const reload = () => queryClient.invalidateQueries({ queryKey: staffList.queryKey })

/** The roles that this person may give: a manager manages packers and riders only. */
const rolesFor = (role: string | undefined) =>
  role === 'manager' ? ROLES.filter((each) => each === 'packer' || each === 'rider') : [...ROLES]

/** The form is below a list that may be long. */
function showInviteForm() {
  const form = document.getElementById('staff-invite')?.parentElement
  form?.scrollIntoView({ block: 'start' })
  form?.querySelector('input')?.focus({ preventScroll: true })
}

/** The people who work in the shop, and who is invited. */
export function StaffPage() {
  const t = useT()
  usePageTitle(t('seller.nav.staff'))
  const { data: seller } = useQuery({ ...sessions.seller, enabled: false })
  const staff = useQuery(staffList)
  const manages = may(seller, 'staff.manage')
  const roles = rolesFor(seller?.role)
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.staff')}</h1>
        {manages ? (
          <div className="seller-page-tools">
            <button type="button" className="button button-primary" onClick={showInviteForm}>
              <PlusIcon />
              {t('seller.staff.invite')}
            </button>
          </div>
        ) : null}
      </div>
      <div className="staff-page">
        <LoadState
          query={staff}
          problem="seller.staff.problem"
          skeleton={<div className="disclosure-skeleton skeleton" />}
        >
          {({ members, invitations }) => (
            <>
              <ul className="staff-list">
                {members.map((member) => (
                  <MemberRow key={member._id} member={member} roles={manages ? roles : []} />
                ))}
              </ul>
              {invitations.length > 0 ? (
                <section aria-labelledby="staff-invited">
                  <h2 id="staff-invited">{t('seller.staff.invited')}</h2>
                  <ul className="staff-list">
                    {invitations.map((invitation) => (
                      <InvitationRow
                        key={invitation._id}
                        invitation={invitation}
                        manages={manages && roles.some((role) => role === invitation.role)}
                      />
                    ))}
                  </ul>
                </section>
              ) : null}
            </>
          )}
        </LoadState>
        {manages ? <InviteForm roles={roles} /> : null}
      </div>
    </>
  )
}

/** Runs a change, shows what became of it and loads the list again. */
function useChange() {
  const [busy, run] = useBusy()
  const change = (work: () => Promise<unknown>, done: MessageId) =>
    run(async () => {
      try {
        await work()
        toast.success(done)
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, TEXTS))
      }
      await reload()
    })
  return [busy, change] as const
}

type Question = {
  title: MessageId
  text: MessageId
  confirm: MessageId
  done: MessageId
  work: () => Promise<unknown>
}

/** `roles` are those that may be given to this person; without any, the row only shows them. */
function MemberRow({ member, roles }: { member: StaffMember; roles: readonly string[] }) {
  const t = useT()
  const [busy, change] = useChange()
  const [question, setQuestion] = useState<Question | null>(null)
  const { _id: id, name } = member
  const manages = !member.current && roles.includes(member.role)
  const answer = async ({ work, done }: Question) => {
    await change(work, done)
    setQuestion(null)
  }
  return (
    <li className="staff-row" data-testid="member" data-disabled={member.disabled || undefined}>
      <div className="staff-who">
        <strong translate="no">{name}</strong>
        {member.current ? <span className="badge">{t('seller.staff.you')}</span> : null}
        {member.disabled ? <span className="badge">{t('seller.staff.disabled')}</span> : null}
        <span className="muted" translate="no">
          {member.email}
        </span>
        <span className="muted">
          {t(member.secondFactor ? 'seller.staff.withSecondFactor' : 'seller.staff.withoutSecondFactor')}
        </span>
      </div>
      {manages ? (
        <div className="staff-actions">
          <select
            className="input"
            aria-label={t('seller.staff.roleOf', { name })}
            value={member.role}
            disabled={busy}
            onChange={({ target: { value } }) =>
              setQuestion({
                title: 'seller.staff.roleTitle',
                text: 'seller.staff.roleText',
                confirm: 'seller.staff.changeRole',
                done: 'seller.staff.roleChanged',
                work: () => staffApi.changeRole(id, value),
              })
            }
          >
            {roles.map((role) => (
              <option key={role} value={role}>
                {t(ROLE_TEXT[role] ?? 'seller.staff.role')}
              </option>
            ))}
          </select>
          {member.secondFactor ? (
            <button
              type="button"
              className="button button-outline"
              disabled={busy}
              onClick={() =>
                setQuestion({
                  title: 'seller.staff.resetTitle',
                  text: 'seller.staff.resetText',
                  confirm: 'seller.staff.reset',
                  done: 'seller.staff.resetDone',
                  work: () => staffApi.resetSecondFactor(id),
                })
              }
            >
              {t('seller.staff.reset')}
            </button>
          ) : null}
          {member.disabled ? (
            <button
              type="button"
              className="button button-outline"
              disabled={busy}
              onClick={() => void change(() => staffApi.setDisabled(id, false), 'seller.staff.enabled')}
            >
              {t('seller.staff.enable')}
            </button>
          ) : (
            <button
              type="button"
              className="button button-outline"
              disabled={busy}
              onClick={() =>
                setQuestion({
                  title: 'seller.staff.disableTitle',
                  text: 'seller.staff.disableText',
                  confirm: 'seller.staff.disable',
                  done: 'seller.staff.disabledDone',
                  work: () => staffApi.setDisabled(id, true),
                })
              }
            >
              {t('seller.staff.disable')}
            </button>
          )}
        </div>
      ) : (
        <span className="badge">{t(ROLE_TEXT[member.role] ?? 'seller.staff.role')}</span>
      )}
      {question ? (
        <ConfirmDialog
          id="staff-question"
          title={t(question.title, { name })}
          text={t(question.text)}
          about={name}
          confirm={t(question.confirm)}
          busy={busy}
          onConfirm={() => void answer(question)}
          onCancel={() => setQuestion(null)}
        />
      ) : null}
    </li>
  )
}

function InvitationRow({ invitation, manages }: { invitation: StaffInvitation; manages: boolean }) {
  const t = useT()
  const lang = useLang()
  const [busy, change] = useChange()
  const { _id: id, name, email, role, expiresAt } = invitation
  return (
    <li className="staff-row" data-testid="invitation">
      <div className="staff-who">
        <strong translate="no">{name}</strong>
        <span className="badge">{t(ROLE_TEXT[role] ?? 'seller.staff.role')}</span>
        <span className="muted" translate="no">
          {email}
        </span>
        <span className="muted">{t('seller.staff.expires', { when: formatDateTime(expiresAt, lang) })}</span>
      </div>
      {manages ? (
        <div className="staff-actions">
          <button
            type="button"
            className="button button-outline"
            disabled={busy}
            onClick={() => void change(() => staffApi.resend(id), 'seller.staff.sent')}
          >
            {t('seller.staff.resend')}
          </button>
          <button
            type="button"
            className="button button-outline"
            disabled={busy}
            onClick={() => void change(() => staffApi.revoke(id), 'seller.staff.revoked')}
          >
            {t('seller.staff.revoke')}
          </button>
        </div>
      ) : null}
    </li>
  )
}

function InviteForm({ roles }: { roles: readonly string[] }) {
  const t = useT()
  const form = useForm<'email' | 'name' | 'role'>({
    onError: (error) => {
      if (handleSellerSessionEnded(error)) return undefined
      const code = (error instanceof ApiError && error.code) || ''
      const field = code === 'email_invalid' || code === 'member_exists' ? 'email' : undefined
      return failure(serverText(error, TEXTS), code === 'name_invalid' ? 'name' : field)
    },
  })
  const invite = async (read: ReadField) => {
    await staffApi.invite(read('email').trim(), read('name').trim(), read('role'))
    form.ref.current?.reset()
    toast.success('seller.staff.sent')
    await reload()
  }
  return (
    <section className="box" aria-labelledby="staff-invite">
      <h2 id="staff-invite">{t('seller.staff.invite')}</h2>
      <form className="form" method="post" {...form.bind(invite)}>
        <p className="muted">{t('seller.staff.inviteText')}</p>
        <TextField
          label={t('seller.staff.name')}
          name="name"
          required
          maxLength={60}
          autoComplete="off"
          error={form.error('name')}
        />
        <TextField
          label={t('auth.email')}
          name="email"
          type="email"
          inputMode="email"
          required
          autoComplete="off"
          error={form.error('email')}
        />
        <SelectField
          label={t('seller.staff.role')}
          hint={t('seller.staff.roleHint')}
          name="role"
          defaultValue="packer"
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {t(ROLE_TEXT[role] ?? 'seller.staff.role')}
            </option>
          ))}
        </SelectField>
        <FormProblem problem={form.problem} announced={false} />
        <div className="button-row">
          <SubmitButton busy={form.busy}>{t('seller.staff.send')}</SubmitButton>
        </div>
      </form>
    </section>
  )
}
