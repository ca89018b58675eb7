import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { AuthDialog, authDialog } from '@/features/accounts/auth-dialog'
import { finishGoogleSignIn } from '@/features/accounts/google-sign-in'
import { HeaderAccount } from '@/features/accounts/header-account'
import { sessions } from '@/features/accounts/session'
import { settings } from '@/lib/first-data'
import { activateLang } from '@/lib/i18n'
import { aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { lastFormData, mockServer, ok, refused, serverFailed } from '@/test/server'

/** A refusal without a reason. */
const UNSUCCESSFUL = { body: { success: false } }

afterEach(() => {
  authDialog.close()
  settings.googleSignIn = false
})

async function openDialog() {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  await renderInShop(
    <>
      <HeaderAccount />
      <AuthDialog />
    </>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Login' }))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByLabelText('Email')
  return { user, dialog: within(dialog), box: dialog }
}

function submit(within: Pick<typeof screen, 'getAllByRole'>, name: string): HTMLElement {
  const buttons = within.getAllByRole<HTMLButtonElement>('button', { name })
  return buttons.find((button) => button.type === 'submit') ?? document.body
}

test('login mode has e-mail and password, both required by the browser, and the first field has the focus', async () => {
  const { dialog } = await openDialog()
  expect(dialog.getByRole('heading', { name: 'Login' })).toBeInTheDocument()
  expect(dialog.getByLabelText('Email')).toBeRequired()
  expect(dialog.getByLabelText('Email')).toHaveAttribute('type', 'email')
  // The dialog opens a moment after its fields are there.
  await waitFor(() => expect(dialog.getByLabelText('Email')).toHaveFocus())
  expect(dialog.getByLabelText('Password')).toBeRequired()
  expect(dialog.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password')
  expect(dialog.queryByLabelText('Full name')).toBeNull()
})

// spec: 2.auth.1, 2.auth.3, 2.auth.4, 2.auth.5, 4.session.4
test('sign-up mode asks for name, phone, photo, e-mail and password; the typed e-mail stays', async () => {
  const { dialog, user } = await openDialog()
  expect(submit(dialog, 'Login')).toHaveTextContent('Login')
  await user.type(dialog.getByLabelText('Email'), 'sita@example.com')
  await user.click(dialog.getByRole('button', { name: 'Sign Up' }))
  expect(dialog.getByRole('heading', { name: 'Sign Up' })).toBeInTheDocument()
  for (const name of ['Full name', 'Phone', 'Email', 'Password'])
    expect(dialog.getByLabelText(name)).toBeRequired()
  expect(dialog.getByLabelText(/^Profile photo/)).not.toBeRequired()
  expect(dialog.getByLabelText(/^Profile photo/)).toHaveAttribute('type', 'file')
  expect(dialog.getByLabelText(/^Profile photo/)).toHaveAttribute('accept', expect.stringMatching(/^image\//))
  expect(submit(dialog, 'Create Account')).toHaveTextContent('Create Account')
  expect(dialog.getByLabelText('Password')).toHaveAttribute('autocomplete', 'new-password')
  expect(dialog.getByLabelText('Email')).toHaveValue('sita@example.com')
  await user.click(dialog.getByRole('button', { name: 'Login', pressed: false }))
  expect(dialog.getByRole('heading', { name: 'Login' })).toBeInTheDocument()
  expect(dialog.getByLabelText('Email')).toHaveValue('sita@example.com')
  expect(dialog.queryByLabelText('Full name')).toBeNull()
})

test('the password can be shown and hidden again, and a closed dialog forgets it', async () => {
  const { dialog, user } = await openDialog()
  expect(dialog.getByLabelText('Password')).toHaveAttribute('type', 'password')
  await user.click(dialog.getByRole('button', { name: 'Show password' }))
  expect(dialog.getByLabelText('Password')).toHaveAttribute('type', 'text')
  await user.click(dialog.getByRole('button', { name: 'Hide password' }))
  expect(dialog.getByLabelText('Password')).toHaveAttribute('type', 'password')
  await user.type(dialog.getByLabelText('Password'), 'typed-but-not-sent')
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await user.click(screen.getByRole('button', { name: 'Login' }))
  expect(await screen.findByLabelText('Password')).toHaveValue('')
})

async function login(answer: Parameters<typeof mockServer>[0][string]) {
  const requests = mockServer({ 'POST /api/user/login': answer })
  const opened = await openDialog()
  await opened.user.type(opened.dialog.getByLabelText('Email'), 'sita@example.com')
  await opened.user.type(opened.dialog.getByLabelText('Password'), 'momo-2083')
  await opened.user.click(submit(opened.dialog, 'Login'))
  return { requests, ...opened }
}

// spec: 8.success.6
test('the right password signs in, closes the dialog and gives the focus back', async () => {
  const { requests } = await login(ok(aUser()))
  expect(await screen.findByText('Logged in successfully.')).toBeInTheDocument()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await screen.findByRole('button', { name: "Sita Sharma's account" })).toBeInTheDocument()
  expect(requests[0]?.body).toEqual({ email: 'sita@example.com', password: 'momo-2083' })
})

// spec: 7.answers.1, 8.auth.1, 8.auth.2, 8.auth.3
test.each([
  [
    "the server's own words",
    refused(401, 'wrong_credentials', 'Wrong email or password.'),
    'Wrong email or password.',
  ],
  ['a no without words', refused(401, 'x', ''), 'Login failed.'],
  ['an unsuccessful answer', UNSUCCESSFUL, 'Login failed.'],
  ['a fault', serverFailed, 'Something went wrong. Please try again.'],
  ['no network', 'no network' as const, 'Something went wrong. Please try again.'],
])(
  '%s: said in a toast inside the dialog and above the button; only the password is cleared',
  async (_what, answer, text) => {
    const { requests, dialog, box } = await login(answer)
    const toast = await screen.findByTestId('toast')
    expect(toast).toHaveTextContent(text)
    // Outside the dialog the toast could be neither read nor closed.
    expect(box).toContainElement(toast)
    expect(dialog.getAllByText(text)).toHaveLength(2)
    expect(dialog.getByLabelText('Email')).toHaveValue('sita@example.com')
    expect(dialog.getByLabelText('Password')).toHaveValue('')
    expect(requests).toHaveLength(1)
  },
)

test('after a failure the same form can be sent again', async () => {
  let attempts = 0
  const { dialog, user } = await login(() => (++attempts === 1 ? serverFailed : ok(aUser())))
  await screen.findByTestId('toast')
  await user.type(dialog.getByLabelText('Password'), 'momo-2083')
  await user.click(submit(dialog, 'Login'))
  expect(await screen.findByText('Logged in successfully.')).toBeInTheDocument()
  expect(attempts).toBe(2)
})

test('while it is being sent, it cannot be sent again', async () => {
  const { dialog } = await login('never')
  expect(submit(dialog, 'Login')).toBeDisabled()
  expect(submit(dialog, 'Login')).toHaveAttribute('aria-busy', 'true')
})

test('in Nepali a refusal is said in the server’s Nepali words', async () => {
  await activateLang('ne')
  try {
    mockServer({
      'POST /api/user/login': refused(
        429,
        'too_many_requests',
        'धेरै पटक प्रयास भयो। ३० सेकेन्डपछि फेरि प्रयास गर्नुहोस्।',
      ),
    })
    await renderInShop(<AuthDialog />)
    authDialog.show('login')
    const user = userEvent.setup()
    await user.type(await screen.findByLabelText('इमेल'), 'a@b.np')
    await user.type(screen.getByLabelText('पासवर्ड'), 'xxxxxxxx')
    await user.click(submit(screen, 'लग इन'))
    expect(await screen.findByTestId('toast')).toHaveTextContent('३० सेकेन्ड')
  } finally {
    await activateLang('en')
  }
})

async function register(answer: Parameters<typeof mockServer>[0][string], photo?: File) {
  const requests = mockServer({ 'POST /api/user/register': answer })
  const opened = await openDialog()
  const { dialog, user } = opened
  await user.click(dialog.getByRole('button', { name: 'Sign Up' }))
  await user.type(dialog.getByLabelText('Full name'), ' Sita Sharma ')
  await user.type(dialog.getByLabelText('Phone'), '+977 ९८४१२३४५६७')
  await user.type(dialog.getByLabelText('Email'), 'sita@example.com')
  await user.type(dialog.getByLabelText('Password'), 'x')
  if (photo) await user.upload(dialog.getByLabelText(/^Profile photo/), photo)
  await user.click(submit(dialog, 'Create Account'))
  return { requests, ...opened }
}

// spec: 8.success.5
test('a new account is sent as a form, the photo in it, and is signed in', async () => {
  const { requests } = await register(ok(aUser()), new File(['x'], 'me.png', { type: 'image/png' }))
  expect(await screen.findByText('User registered successfully.')).toBeInTheDocument()
  expect(screen.queryByRole('dialog')).toBeNull()
  const form = lastFormData(requests)
  expect(Object.fromEntries([...form].filter(([name]) => name !== 'image'))).toEqual({
    name: 'Sita Sharma',
    email: 'sita@example.com',
    password: 'x',
    phone: '9841234567',
  })
  expect((form.get('image') as File).name).toBe('me.png')
})

// spec: 5.auth.3
test('without a photo there is no image in the form', async () => {
  const { requests } = await register(ok(aUser()))
  await screen.findByText('User registered successfully.')
  expect(lastFormData(requests).has('image')).toBe(false)
})

// spec: 8.auth.3, 8.auth.4
test.each([
  [
    "the server's own words",
    refused(409, 'email_taken', 'This email already has an account. Please log in.'),
    'This email already has an account. Please log in.',
  ],
  ['a no without words', refused(422, 'x', ''), 'Registration failed.'],
  ['an unsuccessful answer', UNSUCCESSFUL, 'Registration failed.'],
  ['a fault', serverFailed, 'Something went wrong. Please try again.'],
  ['no network', 'no network' as const, 'Something went wrong. Please try again.'],
])('registration, %s: everything typed stays', async (_what, answer, text) => {
  const { requests, dialog } = await register(answer)
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  expect(dialog.getByLabelText('Full name')).toHaveValue(' Sita Sharma ')
  expect(dialog.getByLabelText('Password')).toHaveValue('x')
  expect(requests).toHaveLength(1)
})

test.each([
  [
    'a text',
    new File(['x'], 'a.txt', { type: 'text/plain' }),
    'Invalid file type. Please upload a JPEG, PNG, GIF, or WebP image.',
  ],
  [
    '11 MB',
    new File([new Uint8Array(11 * 1024 * 1024)], 'a.png', { type: 'image/png' }),
    'File is too large. Maximum size is 10MB.',
  ],
])('%s is refused as a photo before anything is sent', async (_what, file, text) => {
  const { dialog } = await openDialog()
  const user = userEvent.setup({ applyAccept: false })
  await user.click(dialog.getByRole('button', { name: 'Sign Up' }))
  await user.upload(dialog.getByLabelText(/^Profile photo/), file)
  expect(dialog.getByText(text)).toBeInTheDocument()
  expect(dialog.queryByAltText('Photo preview')).toBeNull()
})

test('a chosen photo is shown and can be taken back', async () => {
  const { dialog, user } = await openDialog()
  await user.click(dialog.getByRole('button', { name: 'Sign Up' }))
  await user.upload(dialog.getByLabelText(/^Profile photo/), new File(['x'], 'me.png', { type: 'image/png' }))
  expect(dialog.getByAltText('Photo preview')).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Remove photo' }))
  expect(dialog.queryByAltText('Photo preview')).toBeNull()
})

test('a forgotten password asks for the address and says the same to everybody', async () => {
  const requests = mockServer({ 'POST /api/user/password/forgot': ok({}) })
  const { dialog, user } = await openDialog()
  await user.type(dialog.getByLabelText('Email'), 'sita@example.com')
  await user.click(dialog.getByRole('button', { name: 'Forgot password?' }))
  expect(dialog.getByLabelText('Email')).toHaveValue('sita@example.com')
  await user.click(dialog.getByRole('button', { name: 'Email me a link' }))
  expect(
    await dialog.findByText(
      "If this email has an account, we've sent a link to reset the password. Check your spam folder too.",
    ),
  ).toBeInTheDocument()
  expect(requests).toEqual([
    { method: 'POST', path: '/api/user/password/forgot', body: { email: 'sita@example.com' } },
  ])
  await user.click(dialog.getByRole('button', { name: 'Back to login' }))
  expect(dialog.getByLabelText('Password')).toBeInTheDocument()
})

test('Google is not offered where it is not set up', async () => {
  const { dialog } = await openDialog()
  expect(dialog.queryByText('Continue with Google')).toBeNull()
})

// spec: 2.auth.2
test('where it is set up, Google leads back to the page one is on', async () => {
  settings.googleSignIn = true
  window.history.replaceState(null, '', '/products?search=rice')
  const { dialog, user } = await openDialog()
  expect(dialog.getByRole('link', { name: 'Continue with Google' })).toHaveAttribute(
    'href',
    '/api/user/google/start?return=%2Fproducts%3Fsearch%3Drice',
  )
  await user.click(dialog.getByRole('button', { name: 'Sign Up' }))
  expect(dialog.getByRole('link', { name: 'Continue with Google' })).toBeInTheDocument()
  window.history.replaceState(null, '', '/')
})

const IDENTITY = { email: 'sita@example.com', name: 'Sita', image: '', phone: '' }

// spec: 8.success.7
test("back from Google, the contract's call is made with what the server verified", async () => {
  const requests = mockServer({
    'GET /api/user/google/identity': ok(IDENTITY),
    'POST /api/user/googleLogin': ok(aUser()),
  })
  await renderInShop(<HeaderAccount />)
  await finishGoogleSignIn('verified')
  expect(await screen.findByText('Google login successful!')).toBeInTheDocument()
  expect(requests.map(({ path }) => path)).toEqual(['/api/user/google/identity', '/api/user/googleLogin'])
  expect(requests[1]?.body).toEqual(IDENTITY)
  expect(queryClient.getQueryData(sessions.user.queryKey)).toEqual(aUser())
})

// spec: 8.auth.5, 8.auth.6
test.each([
  ['a no', refused(401, 'google_failed', 'Google login failed.'), 'Google login failed.'],
  ['a no without words', refused(401, 'x', ''), 'Google login failed.'],
  ['an unsuccessful answer', UNSUCCESSFUL, 'Google login failed.'],
  ['a fault', serverFailed, 'Google login failed. Please try again.'],
  ['no network', 'no network' as const, 'Google login failed. Please try again.'],
])('back from Google, %s', async (_what, answer, text) => {
  const requests = mockServer({
    'GET /api/user/google/identity': ok(IDENTITY),
    'POST /api/user/googleLogin': answer,
  })
  await renderInShop(<HeaderAccount />)
  await finishGoogleSignIn('verified')
  expect((await screen.findByTestId('toast')).querySelector('span')).toHaveTextContent(
    new RegExp(`^${text}$`),
  )
  expect(screen.getByRole('button', { name: 'Login' })).toBeInTheDocument()
  expect(requests).toHaveLength(2)
})

test('back from Google without having signed in there', async () => {
  const requests = mockServer({})
  await renderInShop(<HeaderAccount />)
  await finishGoogleSignIn('failed')
  expect(await screen.findByText('Google login failed. Please try again.')).toBeInTheDocument()
  expect(requests).toEqual([])
})

test('an account with a password is connected after the password was given once', async () => {
  const requests = mockServer({
    'GET /api/user/google/identity': ok(IDENTITY),
    'POST /api/user/googleLogin': ({ body }) =>
      (body as { password?: string }).password === 'momo-2083'
        ? ok(aUser())
        : (body as { password?: string }).password
          ? refused(401, 'wrong_credentials', 'Wrong email or password.')
          : refused(409, 'link_needed', 'This email already has an account.'),
  })
  await renderInShop(<AuthDialog />)
  await finishGoogleSignIn('verified')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('heading', { name: 'Connect with Google' })).toBeInTheDocument()
  // A shopper who does not know the password has a way out.
  expect(await dialog.findByRole('button', { name: 'Forgot password?' })).toBeInTheDocument()
  const user = userEvent.setup()
  const password = await dialog.findByLabelText('Password')
  await user.type(password, 'a guess')
  await user.click(dialog.getByRole('button', { name: 'Connect' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Wrong email or password.')
  await user.clear(password)
  await user.type(password, 'momo-2083')
  await user.click(dialog.getByRole('button', { name: 'Connect' }))
  expect(await screen.findByText('Google login successful!')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(requests.at(-1)?.body).toEqual({ ...IDENTITY, password: 'momo-2083' })
})

test.each([
  ['en', 'By creating an account you agree to our Terms of use and Privacy policy.'],
  ['ne', 'खाता बनाएर तपाईं हाम्रा प्रयोगका सर्त र गोपनीयता नीतिमा सहमत हुनुहुन्छ।'],
] as const)('signing up says what one agrees to, in %s, with links to it', async (lang, sentence) => {
  const { user, dialog, box } = await openDialog()
  expect(box.querySelector('.auth-consent')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Sign Up' }))
  await activateLang(lang)
  await waitFor(() => expect(box.querySelector('.auth-consent')).toHaveTextContent(sentence))
  const links = [...box.querySelectorAll('.auth-consent a')].map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/terms', '/privacy'])
  await activateLang('en')
})

test('logging in through Google may create an account, so it says the same', async () => {
  settings.googleSignIn = true
  const { box } = await openDialog()
  expect(box.querySelector('.auth-consent')).toHaveTextContent('By creating an account you agree to')
})
