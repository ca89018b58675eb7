import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import type { EditablePolicy } from '@/features/policies/seller/api'
import { SellerPoliciesPage } from '@/pages/seller/policies-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const LIST = 'GET /api/policy/get_policies'
const SAVE = 'PUT /api/policy/save_policy'
const RESET = 'POST /api/policy/reset_policy'
const PREVIEW = 'POST /api/policy/preview'
type Table = Parameters<typeof mockServer>[0]

const policy = (page: string, changes: Partial<EditablePolicy> = {}): EditablePolicy => ({
  page,
  version: 0,
  updatedAt: null,
  isTemplate: true,
  text: `The ${page} template.`,
  textNe: `${page} को नमुना।`,
  template: `The ${page} template.`,
  templateNe: `${page} को नमुना।`,
  ...changes,
})
const versions = (page: string, rows: object[] = []) => ({
  [`GET /api/policy/get_versions/${page}`]: ok(rows),
})

async function open(table: Table = {}, pages = [policy('privacy'), policy('terms')]) {
  const requests = mockServer({
    [LIST]: () => ok(pages),
    ...versions('privacy'),
    ...versions('terms'),
    ...table,
  })
  await renderInShop(<SellerPoliciesPage />, { at: '/seller/policies' })
  const user = userEvent.setup()
  const text = await screen.findByLabelText('Text')
  return { requests, user, text }
}

test('both languages are edited and saved together, as a version after the one that was seen', async () => {
  const { requests, user, text } = await open({ [SAVE]: ok({ version: 1 }) })
  expect(text).toHaveValue('The privacy template.')
  await user.clear(text)
  await user.type(text, 'Ours.')
  await user.click(screen.getByRole('button', { name: 'Nepali' }))
  await user.type(screen.getByLabelText('Text'), ' हाम्रो')
  expect(screen.getByText('Not saved yet')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Save page' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Page saved.')
  expect(requests.find(({ path }) => path === '/api/policy/save_policy')?.body).toEqual({
    page: 'privacy',
    version: 0,
    text: 'Ours.',
    textNe: 'privacy को नमुना। हाम्रो',
  })
})

test('the preview shows what the server made of the text', async () => {
  const { requests, user, text } = await open({ [PREVIEW]: ok({ html: '<p>So it <em>looks</em>.</p>' }) })
  await user.type(text, ' More.')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  const preview = await screen.findByRole('region', { name: 'Preview' })
  expect(within(preview).getByText('looks')).toBeInTheDocument()
  expect(requests.at(-1)?.body).toEqual({ text: 'The privacy template. More.' })
  await user.click(screen.getByRole('button', { name: 'Write' }))
  expect(screen.getByLabelText('Text')).toHaveValue('The privacy template. More.')
})

test('a text that another person has changed meanwhile is not overwritten', async () => {
  const message = 'This page was changed in the meantime. Please reload it and try again.'
  const { user, text } = await open({ [SAVE]: refused(409, 'policy_changed', message) })
  await user.type(text, '!')
  await user.click(screen.getByRole('button', { name: 'Save page' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent(message)
  expect(screen.getByLabelText('Text')).toHaveValue('The privacy template.!')
})

test('an edited page goes back to its template after a question', async () => {
  const edited = policy('privacy', { version: 2, isTemplate: false, text: 'Ours.' })
  const { requests, user } = await open({ [RESET]: ok({ version: 3 }) }, [edited])
  await user.click(screen.getByRole('button', { name: 'Reset to template' }))
  const question = screen.getByRole('dialog')
  expect(question).toHaveTextContent('Your text stays among the earlier versions.')
  await user.click(within(question).getByRole('button', { name: 'Reset to template' }))
  await waitFor(() =>
    expect(requests.find(({ path }) => path === '/api/policy/reset_policy')?.body).toEqual({
      page: 'privacy',
      version: 2,
    }),
  )
})

test('earlier versions name their author and can be used again', async () => {
  const rows = [
    { version: 2, author: 'Sita', createdAt: '2026-11-15T08:20:00Z', text: null, textNe: null },
    { version: 1, author: 'Hari', createdAt: '2026-11-14T08:20:00Z', text: 'Older.', textNe: 'पुरानो।' },
  ]
  const { user } = await open(versions('privacy', rows))
  const [reset, older] = await screen.findAllByTestId('policy-version')
  expect(reset).toHaveTextContent('Version 2Reset to the templateSita, 15 Nov 2026, 14:05')
  await user.click(within(older as HTMLElement).getByRole('button', { name: 'Use this text' }))
  expect(screen.getByLabelText('Text')).toHaveValue('Older.')
})

test('another page opens with its own text', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: /Terms of use/ }))
  expect(screen.getByLabelText('Text')).toHaveValue('The terms template.')
  expect(screen.getByRole('link', { name: 'Open page' })).toHaveAttribute('href', '/terms')
})

test('a member who may not edit reads the text and its versions, and has no button to save', async () => {
  queryClient.setQueryData(sessions.seller.queryKey, {
    name: 'Hari',
    permissions: ['settings.read'],
  } as never)
  const row = { version: 1, author: 'Sita', createdAt: '2026-11-14T08:20:00Z', text: 'A.', textNe: 'क।' }
  const edited = policy('privacy', { version: 1, isTemplate: false })
  const { text } = await open(versions('privacy', [row]), [edited])
  expect(await screen.findByTestId('policy-version')).toBeInTheDocument()
  expect(text).toHaveAttribute('readonly')
  for (const name of ['Save page', 'Reset to template', 'Use this text'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('an ended session shows the login', async () => {
  queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
  mockServer({ [LIST]: refused(401, 'signed_out', '') })
  await renderInShop(<SellerPoliciesPage />, { at: '/seller/policies' })
  await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
})
