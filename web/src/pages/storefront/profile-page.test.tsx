import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { AuthDialog, authDialog } from '@/features/accounts/auth-dialog'
import { sessions, type User } from '@/features/accounts/session'
import { ProfilePage } from '@/pages/storefront/profile-page'
import { anAddress, aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'
import { holdTime, pass } from '@/test/time'

afterEach(() => authDialog.close())

type Table = Parameters<typeof mockServer>[0]

async function openProfile(person: User | null = aUser(), table: Table = {}) {
  const requests = mockServer({
    'GET /api/user/isAuth': person ? ok(person) : refused(401, 'signed_out', ''),
    ...table,
  })
  const shop = await renderInShop(
    <>
      <ProfilePage />
      <AuthDialog />
    </>,
    { at: '/profile' },
  )
  return { ...shop, requests, user: userEvent.setup() }
}

async function edit(person?: User, table?: Table) {
  const opened = await openProfile(person, table)
  await opened.user.click(await screen.findByRole('button', { name: 'Edit' }))
  await screen.findByRole('button', { name: 'Save Changes' })
  return opened
}

const field = (name: string) => screen.getByLabelText(name)

async function fill(user: ReturnType<typeof userEvent.setup>, values: Record<string, string>) {
  for (const [name, text] of Object.entries(values)) {
    await user.clear(field(name))
    if (text) await user.type(field(name), text)
  }
}

test('nobody is sent away before the check has ended', async () => {
  const { address, requests } = await openProfile(null, { 'GET /api/user/isAuth': 'never' })
  await waitFor(() => expect(requests).toHaveLength(1))
  expect(address()).toBe('/profile')
  expect(screen.getByRole('heading', { name: 'Profile' })).toBeInTheDocument()
})

// spec: 2.profile.1
test('a visitor is led home once the server has said that nobody is signed in', async () => {
  const { address, requests } = await openProfile(null)
  await expect.poll(address).toBe('/')
  expect(requests.map(({ path }) => path)).toEqual(['/api/user/isAuth'])
  expect(screen.queryByTestId('toast')).toBeNull()
})

// spec: 2.profile.2, 2.profile.3, 4.session.5, 6.shopper.1
test('the profile shows name, e-mail, phone, address and both dates, as they are in Nepal', async () => {
  await openProfile()
  await screen.findByRole('button', { name: 'Edit' })
  const facts = Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )
  expect(facts).toMatchObject({
    Name: 'Sita Sharma',
    Email: 'sita@example.com',
    Phone: '9841234567',
    'Member since': '3 Mar 2026',
    'Last updated': '15 Nov 2026',
  })
  expect(facts.Address).toContain('Baneshwor-10, Kathmandu')
  expect(screen.queryByRole('button', { name: 'Save Changes' })).toBeNull()
})

test('the name and the address are there once, and only a profile without an address asks for one', async () => {
  await openProfile()
  await screen.findByRole('button', { name: 'Edit' })
  expect(screen.getAllByText('Sita Sharma')).toHaveLength(1)
  expect(screen.queryByRole('link', { name: 'Add a full address' })).toBeNull()
})

test('what was never given is said to be missing', async () => {
  await openProfile(aUser({ phone: '' }))
  expect(await screen.findByText('Not added yet')).toBeInTheDocument()
})

// spec: 2.profile.6, 4.session.5, 4.session.6
test('editing starts in the first field; cancel brings everything back and the focus to Edit', async () => {
  const { user, requests } = await edit()
  await waitFor(() => expect(field('Name')).toHaveFocus())
  await fill(user, { Name: 'Somebody else', Phone: '9800000000', Address: 'Elsewhere' })
  await user.upload(screen.getByLabelText(/^Profile photo/), new File(['x'], 'a.png', { type: 'image/png' }))
  expect(screen.getByAltText('Photo preview')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus()
  expect(screen.getAllByText('Sita Sharma').length).toBeGreaterThan(0)
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  expect(field('Name')).toHaveValue('Sita Sharma')
  expect(field('Phone')).toHaveValue('9841234567')
  expect(field('Address')).toHaveValue('Baneshwor-10, Kathmandu')
  expect(screen.queryByAltText('Photo preview')).toBeNull()
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([])
})

// spec: 5.profile.1, 5.profile.2, 5.profile.3, 5.profile.4, 9.const.16
test.each([
  [{ Name: '' }, 'Name', 'Name is required'],
  [{ Name: ' ' }, 'Name', 'Name is required'],
  [{ Email: '' }, 'Email', 'Valid email is required'],
  [{ Email: 'a@' }, 'Email', 'Valid email is required'],
  [{ Phone: '98412' }, 'Phone', 'Valid 10-digit phone number is required'],
  [{ Phone: '98412345678' }, 'Phone', 'Valid 10-digit phone number is required'],
  [{ Phone: '98412x4567' }, 'Phone', 'Valid 10-digit phone number is required'],
  [{ Address: '' }, 'Address', 'Address is required'],
])('%j is not sent: the summary has the focus and names the field', async (values, name, text) => {
  const { user, requests } = await edit()
  await fill(user, values as unknown as Record<string, string>)
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  const summary = screen.getByRole('alert', { name: 'There is a problem' })
  expect(summary).toHaveFocus()
  expect(field(name)).toHaveAccessibleDescription(new RegExp(text))
  expect(field(name)).toBeInvalid()
  await user.click(within(summary).getByRole('link', { name: text }))
  expect(field(name)).toHaveFocus()
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([])
})

// spec: 2.profile.5, 8.success.14, 9.const.24
test('a valid change is sent as a form and said for exactly three seconds', async () => {
  const { user, requests } = await edit(aUser(), {
    'PUT /api/user/updateProfile': ok(aUser({ name: 'Sita Rai', phone: '9800000000' })),
  })
  await fill(user, { Name: 'Sita Rai', Phone: '९८००-००००००' })
  holdTime()
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByText('Profile updated successfully!')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus()
  expect(screen.getAllByText('Sita Rai').length).toBeGreaterThan(0)
  await pass(2800)
  expect(screen.getByText('Profile updated successfully!')).toBeInTheDocument()
  await pass(400)
  expect(screen.queryByText('Profile updated successfully!')).toBeNull()
  const form = requests.find(({ method }) => method === 'PUT')?.body as FormData
  expect(Object.fromEntries(form)).toEqual({
    name: 'Sita Rai',
    email: 'sita@example.com',
    phone: '9800000000',
    address: 'Baneshwor-10, Kathmandu',
  })
})

// spec: 9.const.24
test('a failed save is said for exactly three seconds too', async () => {
  const { user } = await edit(aUser(), { 'PUT /api/user/updateProfile': serverFailed })
  holdTime()
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Failed to update profile. Please try again.')
  await pass(2800)
  expect(screen.getByTestId('toast')).toBeInTheDocument()
  await pass(400)
  expect(screen.queryByTestId('toast')).toBeNull()
})

test('a photo can be taken away', async () => {
  const { user, requests } = await edit(aUser({ image: '/media/x/96.webp' }), {
    'PUT /api/user/updateProfile': ok(aUser()),
  })
  await user.click(screen.getByRole('button', { name: 'Remove photo' }))
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await screen.findByText('Profile updated successfully!')
  const form = requests.find(({ method }) => method === 'PUT')?.body as FormData
  expect(form.get('removeImage')).toBe('true')
  expect(form.has('image')).toBe(false)
})

// spec: 7.answers.1, 8.profile.1
test.each([
  ['an unsuccessful answer', { body: { success: false } }, 'Failed to update profile. Please try again.'],
  ['a fault', serverFailed, 'Failed to update profile. Please try again.'],
  ['no network', 'no network' as const, 'Failed to update profile. Please try again.'],
  ['a refused picture', refused(422, 'image_type', 'Not that picture.'), 'Not that picture.'],
])('%s: the form stays as it was typed, and says why', async (_what, answer, reason) => {
  const { user, requests } = await edit(aUser(), { 'PUT /api/user/updateProfile': answer })
  await fill(user, { Name: 'Sita Rai' })
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Failed to update profile. Please try again.')
  expect(screen.getAllByText(reason).some((text) => text.className === 'form-problem')).toBe(true)
  expect(field('Name')).toHaveValue('Sita Rai')
  expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

test('an address that somebody else has is said at its field', async () => {
  const { user } = await edit(aUser(), {
    'PUT /api/user/updateProfile': refused(409, 'email_taken', 'Taken.'),
  })
  await fill(user, { Email: 'ram@example.com' })
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(field('Email')).toHaveAccessibleDescription(/Taken\./))
})

test('leaving with changes asks first; without changes it does not', async () => {
  const { user, router, address } = await edit()
  await fill(user, { Name: 'Sita Rai' })
  act(() => void router.navigate({ to: '/about' as never }))
  const question = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect(address()).toBe('/profile')
  expect(field('Name')).toHaveValue('Sita Rai')
  act(() => void router.navigate({ to: '/about' as never }))
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  await expect.poll(address).toBe('/about')
})

test('a session that ended elsewhere leads home', async () => {
  const { user, address } = await edit(aUser(), {
    'PUT /api/user/updateProfile': refused(401, 'signed_out', 'Please log in.'),
  })
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await expect.poll(address).toBe('/')
  expect(queryClient.getQueryData(sessions.user.queryKey)).toBeNull()
})

test('an address that waits for its confirmation is named, and the email can be sent again', async () => {
  const { user, requests } = await openProfile(aUser({ pendingEmail: 'new@example.com' }), {
    'POST /api/user/email/resend': ok({}),
  })
  expect(await screen.findByText(/We've sent an email to new@example.com/)).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Resend email' }))
  expect(await screen.findByText('Email sent again.')).toBeInTheDocument()
  expect(requests.at(-1)?.path).toBe('/api/user/email/resend')
})

const open = async (user: ReturnType<typeof userEvent.setup>, title: string) =>
  user.click(await screen.findByRole('heading', { name: title }))

test('the password is changed with the current one', async () => {
  const { user, requests } = await openProfile(aUser(), { 'POST /api/user/password/change': ok({}) })
  await open(user, 'Password')
  await user.type(await screen.findByLabelText('Current password'), 'old-one-1')
  await user.type(field('New password'), 'new-one-2')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('Your password has been changed.')).toBeInTheDocument()
  expect(requests.at(-1)?.body).toEqual({ currentPassword: 'old-one-1', newPassword: 'new-one-2' })
  expect(field('New password')).toHaveValue('')
})

test('a wrong current password is said at its field', async () => {
  const { user, requests } = await openProfile(aUser(), {
    'POST /api/user/password/change': refused(403, 'wrong_password', 'The current password is incorrect.'),
  })
  await open(user, 'Password')
  await user.type(await screen.findByLabelText('Current password'), 'x')
  await user.type(field('New password'), 'new-one-2')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  await waitFor(() =>
    expect(field('Current password')).toHaveAccessibleDescription(/The current password is incorrect\./),
  )
  expect(field('Current password')).toHaveFocus()
  expect(requests.at(-1)?.path).toBe('/api/user/password/change')
})

const DEVICES = [
  {
    id: 'd1',
    current: true,
    device: 'Chrome on Android',
    createdAt: '2026-11-01T00:00:00Z',
    lastSeenAt: '2026-11-15T00:00:00Z',
  },
  {
    id: 'd2',
    current: false,
    device: 'Firefox on Windows',
    createdAt: '2026-10-01T00:00:00Z',
    lastSeenAt: '2026-11-02T00:00:00Z',
  },
]

test('devices are listed, and any but this one can be signed out', async () => {
  const { user, requests } = await openProfile(aUser(), {
    'GET /api/user/sessions': ok(DEVICES),
    'DELETE /api/user/sessions/d2': ok({}),
  })
  await open(user, 'Your devices')
  expect(await screen.findByText('This device')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Log out of Chrome on Android' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Log out of Firefox on Windows' }))
  expect(await screen.findByText('The device has been logged out.')).toBeInTheDocument()
  expect(screen.queryByText(/Firefox on Windows/)).toBeNull()
  expect(requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/user/sessions/d2' })
})

test('another device is signed out after the password when the last login was a while ago', async () => {
  let proven = false
  const { user, requests } = await openProfile(aUser(), {
    'GET /api/user/sessions': ok(DEVICES),
    'DELETE /api/user/sessions/d2': () =>
      proven ? ok({}) : refused(403, 'password_needed', 'Please enter your current password to do this.'),
    'POST /api/user/password/verify': ({ body }) => {
      proven = (body as { password: string }).password === 'momo-2083'
      return proven ? ok({}) : refused(403, 'wrong_password', 'The current password is incorrect.')
    },
  })
  await open(user, 'Your devices')
  await user.click(await screen.findByRole('button', { name: 'Log out of Firefox on Windows' }))
  const question = within(await screen.findByRole('dialog', { name: 'Log out of Firefox on Windows?' }))
  const password = question.getByLabelText('Current password')
  await waitFor(() => expect(password).toHaveFocus())
  await user.type(password, 'wrong')
  await user.click(question.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(password).toHaveAccessibleDescription('The current password is incorrect.'))
  await user.clear(password)
  await user.type(password, 'momo-2083')
  await user.click(question.getByRole('button', { name: 'Log out' }))
  expect(await screen.findByText('The device has been logged out.')).toBeInTheDocument()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByText(/Firefox on Windows/)).toBeNull()
  expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(2)
})

test('signing out everywhere asks for the password when the last login was a while ago', async () => {
  let proven = false
  const { user, address } = await openProfile(aUser(), {
    'GET /api/user/sessions': ok(DEVICES),
    'POST /api/user/sessions/end_all': () =>
      proven ? ok({}) : refused(403, 'password_needed', 'Please enter your current password to do this.'),
    'POST /api/user/password/verify': () => {
      proven = true
      return ok({})
    },
  })
  await open(user, 'Your devices')
  await user.click(await screen.findByRole('button', { name: 'Log out everywhere' }))
  const question = within(await screen.findByRole('dialog', { name: 'Log out everywhere?' }))
  await user.click(question.getByRole('button', { name: 'Log out everywhere' }))
  await user.type(await question.findByLabelText('Current password'), 'momo-2083')
  await user.click(question.getByRole('button', { name: 'Log out everywhere' }))
  await expect.poll(address).toBe('/')
})

test('signing out everywhere asks first and ends here too', async () => {
  const { user, requests, address } = await openProfile(aUser(), {
    'GET /api/user/sessions': ok(DEVICES),
    'POST /api/user/sessions/end_all': ok({}),
  })
  await open(user, 'Your devices')
  await user.click(await screen.findByRole('button', { name: 'Log out everywhere' }))
  const question = within(await screen.findByRole('dialog', { name: 'Log out everywhere?' }))
  await user.click(question.getByRole('button', { name: 'Log out everywhere' }))
  await expect.poll(address).toBe('/')
  expect(requests.filter(({ path }) => path.endsWith('end_all'))).toHaveLength(1)
})

test('deleting the account takes the password and a second thought', async () => {
  const { user, requests, address } = await openProfile(aUser(), {
    'POST /api/user/delete': ({ body }) =>
      (body as { password?: string }).password === 'momo-2083'
        ? ok({})
        : refused(403, 'wrong_password', 'The current password is incorrect.'),
  })
  await open(user, 'Your data')
  await user.click(await screen.findByRole('button', { name: 'Delete account' }))
  const question = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  await user.type(question.getByLabelText('Current password'), 'wrong')
  await user.click(question.getByRole('button', { name: 'Delete account' }))
  expect((await question.findAllByText('The current password is incorrect.')).length).toBeGreaterThan(0)
  await user.clear(question.getByLabelText('Current password'))
  await user.type(question.getByLabelText('Current password'), 'momo-2083')
  await user.click(question.getByRole('button', { name: 'Delete account' }))
  expect(await screen.findByText('Your account has been deleted.')).toBeInTheDocument()
  await expect.poll(address).toBe('/')
  expect(requests.filter(({ path }) => path === '/api/user/delete')).toHaveLength(2)
})

test('what needs a fresh login leads to the login', async () => {
  const { user, requests } = await openProfile(aUser({ hasPassword: false }), {
    'GET /api/user/export': refused(403, 'fresh_login_needed', 'Please log in again to do this.'),
    'POST /api/user/delete': refused(403, 'fresh_login_needed', 'Please log in again to do this.'),
  })
  await open(user, 'Your data')
  await user.click(await screen.findByRole('button', { name: 'Download my data' }))
  expect(await screen.findByRole('dialog', { name: 'Login' })).toBeInTheDocument()
  expect(screen.getByTestId('toast')).toHaveTextContent('Please log in again to do this.')
  act(() => authDialog.close())
  await user.click(screen.getByRole('button', { name: 'Delete account' }))
  const question = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  expect(question.queryByLabelText('Current password')).toBeNull()
  await user.click(question.getByRole('button', { name: 'Delete account' }))
  expect(await screen.findByRole('dialog', { name: 'Login' })).toBeInTheDocument()
  expect(requests.map(({ path }) => path)).toEqual([
    '/api/user/isAuth',
    '/api/user/export',
    '/api/user/delete',
  ])
})

test('a shopper without a password is sent an email with a link', async () => {
  const { user, requests } = await openProfile(aUser({ hasPassword: false, google: true }), {
    'POST /api/user/password/forgot': ok({}),
  })
  await open(user, 'Password')
  await user.click(await screen.findByRole('button', { name: 'Email me a link' }))
  expect(await screen.findByText("We've sent an email to sita@example.com.")).toBeInTheDocument()
  expect(requests.at(-1)?.body).toEqual({ email: 'sita@example.com' })
})

test('saved addresses can be made the default and deleted after a question', async () => {
  const office = anAddress({
    _id: 'a-office',
    address: 'Office',
    isDefault: false,
    line: 'Jawalakhel, Lalitpur',
  })
  let list = [anAddress(), office]
  const { user, requests } = await openProfile(aUser(), {
    'GET /api/address/get_addresses': () => ok(list),
    'PUT /api/address/update_address/a-office': ok(office),
    'DELETE /api/address/delete_address/a-office': () => {
      list = [anAddress()]
      return ok({})
    },
  })
  await open(user, 'Addresses')
  expect(await screen.findByText('Jawalakhel, Lalitpur')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Make default' }))
  expect(await screen.findByText('Address updated successfully!')).toBeInTheDocument()
  expect(requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    address: 'Office',
    isDefault: true,
  })
  await user.click(screen.getByRole('button', { name: 'Delete Office' }))
  const question = within(await screen.findByRole('dialog', { name: 'Delete this address?' }))
  await user.click(question.getByRole('button', { name: 'Delete' }))
  // The toast is drawn again when the dialog around it closes.
  await screen.findByText('Address deleted successfully!')
  expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  await waitFor(() => expect(screen.getByRole('link', { name: 'Add an address' })).toHaveFocus())
})

const LINKED = { id: 'i1', email: 'asha@gmail.example', linkedAt: '2026-11-15T10:00:00Z' }

test('a new email address asks for the password only when the server wants it', async () => {
  const PASSWORD = 'Current password, to change your email'
  let answers = [
    refused(403, 'password_needed', 'Please enter your current password to do this.'),
    refused(403, 'wrong_password', 'The current password is incorrect.'),
    ok(aUser({ pendingEmail: 'new@example.com' })),
  ]
  const { user, requests } = await edit(aUser(), {
    'PUT /api/user/updateProfile': () => {
      const [answer, ...rest] = answers
      answers = rest
      return answer ?? serverFailed
    },
  })
  await fill(user, { Email: 'new@example.com' })
  expect(screen.queryByLabelText(PASSWORD)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(field(PASSWORD)).toHaveFocus())
  expect(screen.queryByTestId('toast')).toBeNull()
  await user.type(field(PASSWORD), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() =>
    expect(field(PASSWORD)).toHaveAccessibleDescription('The current password is incorrect.'),
  )
  await fill(user, { [PASSWORD]: 'momo-2083' })
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByRole('button', { name: 'Edit' })).toBeInTheDocument()
  const sent = requests.filter(({ method }) => method === 'PUT').map(({ body }) => body as FormData)
  expect(sent.map((form) => form.get('currentPassword'))).toEqual([null, 'wrong', 'momo-2083'])
})

test('a linked Google account is shown and can be removed, unless it is the only way in', async () => {
  const { user, requests } = await openProfile(aUser({ google: true, hasPassword: true }), {
    'GET /api/user/identities': ok([LINKED]),
    'DELETE /api/user/identities/i1': ok({}),
  })
  await user.click(await screen.findByText('Google account'))
  await user.click(await screen.findByRole('button', { name: 'Remove asha@gmail.example' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove this Google account?' })
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByText('Google account')).toBeNull())
  expect(requests.some(({ method }) => method === 'DELETE')).toBe(true)
})

test('the only way in cannot be removed', async () => {
  const { user } = await openProfile(aUser({ google: true, hasPassword: false }), {
    'GET /api/user/identities': ok([LINKED]),
  })
  await user.click(await screen.findByText('Google account'))
  expect(await screen.findByText(/This is your only way to log in/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
})
