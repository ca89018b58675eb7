import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { RawText } from '@/lib/i18n'
import { renderInShop } from '@/test/render-in-shop'
import { ErrorSummary } from '@/ui/error-summary'
import { TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { type FormFailure, failure, useForm } from '@/ui/use-form'

const MISSING = 'A name is missing.' as RawText
const REFUSED = 'The shop refuses this name.' as RawText

type Work = (read: (name: string) => string) => Promise<unknown>
type FormProps = {
  work: Work
  onError?: (error: unknown) => FormFailure<'name'> | undefined
  summary?: boolean
}

function NameForm({ work, onError = () => failure(REFUSED, 'name'), summary = true }: FormProps) {
  const form = useForm<'name'>({
    id: 'person',
    check: (read) => (read('name').trim() ? {} : { name: MISSING }),
    onError,
  })
  return (
    <form {...form.bind(work)}>
      {summary ? <ErrorSummary problems={form.problems} /> : null}
      <TextField {...form.field('name')} label="Name" />
      <TextField label="Street" name="street" />
      <FormProblem problem={form.problem} />
      <SubmitButton busy={form.busy}>Save</SubmitButton>
    </form>
  )
}

async function open(props: Partial<FormProps> = {}) {
  const user = userEvent.setup()
  const work = vi.fn<Work>(props.work ?? (async () => {}))
  await renderInShop(<NameForm {...props} work={work} />)
  const name = () => screen.getByLabelText('Name')
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }))
  return { user, work, name, save }
}

test('a form with an error is not sent, and its summary takes the focus each time', async () => {
  const { user, work, name, save } = await open()

  await save()
  expect(screen.getByText('There is a problem').closest('.error-summary')).toHaveFocus()
  await user.click(name())
  await save()

  expect(screen.getByText('There is a problem').closest('.error-summary')).toHaveFocus()
  expect(screen.getByRole('link', { name: MISSING })).toHaveAttribute('href', '#person-name')
  expect(name()).toBeInvalid()
  expect(work).not.toHaveBeenCalled()
})

test('without a summary the first field in error takes the focus', async () => {
  const { name, save } = await open({ summary: false })
  await save()
  expect(name()).toHaveFocus()
})

test('a field in error is checked as it is edited, any other edited field when it is left', async () => {
  const { user, name, save } = await open()
  await user.type(name(), 'Maya')
  await user.clear(name())
  expect(name()).toBeValid()
  await user.click(screen.getByLabelText('Street'))
  expect(name()).toBeInvalid()

  await user.type(name(), 'M')
  expect(name()).toBeValid()
  await save()
  expect(screen.queryByRole('link', { name: MISSING })).not.toBeInTheDocument()
})

test('the work gets the values as they were sent, and runs once at a time', async () => {
  let finish = () => {}
  const { user, work, name, save } = await open({
    work: () => new Promise<void>((resolve) => (finish = resolve)),
  })
  await user.type(name(), 'Maya')
  await save()
  await user.type(name(), '{Enter}')
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  expect(work).toHaveBeenCalledOnce()
  expect(work.mock.calls[0]?.[0]('name')).toBe('Maya')

  finish()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled())
})

test('a refusal about a field stands at the field and in a toast, and typing clears it', async () => {
  const { user, name, save } = await open({ work: () => Promise.reject(new Error('refused')) })
  await user.type(name(), 'Maya')
  await save()
  expect(await screen.findByTestId('toast')).toHaveTextContent(REFUSED)
  expect(name()).toHaveAccessibleDescription(REFUSED)

  await user.type(name(), ' R')
  expect(name()).toBeValid()
})

test('a refusal of the whole form stands below the fields until the form is sent again', async () => {
  let refuse = true
  const { user, name, save } = await open({
    work: () => (refuse ? Promise.reject(new Error('refused')) : Promise.resolve()),
    onError: () => failure(REFUSED),
  })
  await user.type(name(), 'Maya')
  await save()
  expect(await screen.findAllByText(REFUSED)).toHaveLength(2)
  expect(name()).toBeValid()

  refuse = false
  await save()
  await waitFor(() => expect(screen.queryByText(REFUSED)).not.toBeInTheDocument())
})

test('a failure that is handled elsewhere shows nothing', async () => {
  const { user, name, save } = await open({
    work: () => Promise.reject(new Error('the session has ended')),
    onError: () => undefined,
  })
  await user.type(name(), 'Maya')
  await save()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled())
  expect(screen.queryByTestId('toast')).not.toBeInTheDocument()
  expect(name()).toBeValid()
})

test('sending dismisses old errors, but not what can be undone', async () => {
  const { user, name, save } = await open()
  toast.error('auth.failed')
  toast.success('auth.loggedIn', { label: 'cart.undo', run: () => {} })
  await user.type(name(), 'Maya')
  await save()
  expect(screen.getAllByTestId('toast')).toHaveLength(1)
  expect(screen.getByTestId('toast')).not.toHaveTextContent('Login failed')
})
