import type { Locator, Page } from '@playwright/test'
import { letterTo, waitForConfirmation } from '../support/letters.ts'
import {
  fault,
  formOf,
  HOME_ADDRESS,
  logIn,
  register,
  somebody,
  type User,
  unreachable,
  unsuccessful,
} from '../support/people.ts'
import { DRAWING, NOT_A_PHOTO, OTHER_PHOTO, PHOTO, turnedPhoto } from '../support/pictures.ts'
import {
  avatar,
  BROKEN,
  expect,
  listen,
  loginButton,
  ON_DESKTOP,
  ON_PHONE,
  open,
  openFold,
  REFUSED,
  test,
  toast,
} from '../support/shop.ts'

const CALL = '/api/user/updateProfile'

const edit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Edit', exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
const field = (page: Page, name: 'Name' | 'Email' | 'Phone' | 'Address'): Locator =>
  page.getByRole('main').getByLabel(name, { exact: true })

const photo = (page: Page) => page.getByRole('main').getByLabel(/^Profile photo/)

/** What view mode says about one thing. */
const shown = (page: Page, term: string) =>
  page
    .getByRole('main')
    .locator('dl > *')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${term}$`) }) })
    .locator('dd')

async function startEditing(page: Page) {
  await open(page, '/profile')
  await edit(page).click()
  await expect(save(page)).toBeVisible()
}

/** The address is required, and a new account has none. */
async function withAddress({
  session,
  name,
  email,
  phone,
}: {
  session: Awaited<ReturnType<typeof register>>
  name: string
  email: string
  phone: string
}) {
  return session.must<User>('PUT', CALL, formOf({ name, email, phone, address: 'Lazimpat 2, Kathmandu' }))
}

// spec: 2.profile.1
test('without a signed-in person the page leads home', async ({ page }) => {
  await page.goto('/profile')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Thunse' })).toBeVisible()
})

test('logging out on the page also leads home', ON_DESKTOP, async ({ page, shopper }) => {
  await open(page, '/profile')
  await avatar(page, shopper).click()
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await toast(page, 'Logout successful!')
  await expect(page).toHaveURL('/')
})

// spec: 2.profile.2, 2.profile.3, 4.session.5, 6.shopper.1
test('view mode shows name, e-mail, phone, address, created and last-updated date', async ({
  page,
  shopper,
}) => {
  await withAddress(shopper)
  await open(page, '/profile')
  await expect(shown(page, 'Name')).toHaveText(shopper.name)
  await expect(shown(page, 'Email')).toContainText(shopper.email)
  await expect(shown(page, 'Phone')).toHaveText(shopper.phone)
  await expect(shown(page, 'Address')).toContainText('Lazimpat 2, Kathmandu')
  const today = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'Asia/Kathmandu',
  }).format(new Date())
  await expect(shown(page, 'Member since')).toContainText(today)
  await expect(shown(page, 'Last updated')).toContainText(today)
  await expect(save(page)).toHaveCount(0)
})

// spec: 2.profile.5, 4.session.5, 6.shopper.1, 7.shopper.13, 8.success.14
test('edit mode changes every field; the multipart call carries them, and view mode shows them', async ({
  page,
  shopper,
}) => {
  await startEditing(page)
  await field(page, 'Name').fill('Ram Bahadur Karki')
  await field(page, 'Phone').fill('९८४१ २३४ ५६७')
  await field(page, 'Address').fill('Boudha 6, Kathmandu')
  const asked = page.waitForRequest(`**${CALL}`)
  await save(page).click()
  const request = await asked
  expect(request.method()).toBe('PUT')
  for (const name of ['name', 'email', 'phone', 'address'])
    expect(request.postData()).toContain(`name="${name}"`)
  await toast(page, 'Profile updated successfully!')
  await expect(shown(page, 'Name')).toHaveText('Ram Bahadur Karki')
  await expect(shown(page, 'Phone')).toHaveText('9841234567')
  await expect(shown(page, 'Address')).toContainText('Boudha 6, Kathmandu')
  await expect(edit(page)).toBeVisible()
  await expect(avatar(page, { name: 'Ram Bahadur Karki' })).toBeVisible()
  expect(await shopper.session.must('GET', '/api/user/isAuth')).toMatchObject({
    name: 'Ram Bahadur Karki',
    phone: '9841234567',
    address: 'Boudha 6, Kathmandu',
    email: shopper.email,
  })
})

// spec: 8.success.14, 9.const.24
test('the success message stays for three seconds', ON_DESKTOP, async ({ page, shopper }) => {
  await withAddress(shopper)
  await page.clock.install({ time: new Date('2026-11-15T10:00:00Z') })
  await startEditing(page)
  await page.clock.pauseAt(new Date('2026-11-15T11:00:00Z'))
  const answered = page.waitForResponse(`**${CALL}`)
  await save(page).click()
  expect((await answered).ok()).toBe(true)
  const message = page.getByTestId('toast').filter({ hasText: 'Profile updated successfully!' })
  await expect(async () => {
    await page.clock.runFor(5)
    expect(await message.count()).toBe(1)
  }).toPass({ intervals: [10] })
  // The pointer rests on it no longer than it rested on the button.
  await page.mouse.move(0, 0)
  await page.clock.runFor(2800)
  await expect(message).toHaveCount(1)
  await page.clock.runFor(500)
  await expect(message).toHaveCount(0)
})

for (const [name, value, text] of [
  ['Name', '', 'Name is required'],
  ['Name', '   ', 'Name is required'],
  ['Email', '', 'Valid email is required'],
  ['Email', 'a@', 'Valid email is required'],
  ['Phone', '98412', 'Valid 10-digit phone number is required'],
  ['Phone', '98412345678', 'Valid 10-digit phone number is required'],
  ['Phone', '98412x4567', 'Valid 10-digit phone number is required'],
  ['Address', '', 'Address is required'],
] as const) {
  // spec: 5.profile.1, 5.profile.2, 5.profile.3, 5.profile.4, 9.const.16
  test(`${name} '${value}': '${text}', and nothing is sent`, ON_PHONE, async ({ page, shopper }) => {
    await withAddress(shopper)
    const sent = listen(page, CALL)
    await startEditing(page)
    await field(page, name).fill(value)
    await save(page).click()
    await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true')
    await expect(field(page, name)).toHaveAccessibleDescription(new RegExp(text))
    expect(sent).toHaveLength(0)
    await expect(save(page)).toBeVisible()
  })
}

// spec: 2.profile.6, 4.session.6
test('Cancel restores the saved values and the old photo', async ({ page, shopper }) => {
  const saved = await withAddress(shopper)
  await startEditing(page)
  await field(page, 'Name').fill('Somebody Else')
  await field(page, 'Phone').fill('9800000001')
  await field(page, 'Address').fill('Elsewhere')
  await photo(page).setInputFiles(PHOTO)
  await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click()
  await expect(shown(page, 'Name')).toHaveText(saved.name)
  await expect(edit(page)).toBeFocused()
  await edit(page).click()
  await expect(field(page, 'Name')).toHaveValue(saved.name)
  await expect(field(page, 'Phone')).toHaveValue(saved.phone)
  await expect(field(page, 'Address')).toHaveValue(saved.address)
  await expect(page.getByRole('img', { name: 'Preview of the photo' })).toHaveCount(0)
  expect(await shopper.session.must('GET', '/api/user/isAuth')).toMatchObject({ name: saved.name, image: '' })
})

for (const way of ['unsuccessful', 'no connection', 'a broken server'] as const) {
  // spec: 7.answers.1, 8.profile.1
  test(
    `a save that fails (${way}): 'Failed to update profile. Please try again.', still editing`,
    ON_DESKTOP,
    async ({ page, shopper, allowConsole }) => {
      allowConsole(BROKEN)
      await withAddress(shopper)
      const make = { unsuccessful, 'no connection': unreachable, 'a broken server': fault }[way]
      await make(page, CALL)
      await startEditing(page)
      await field(page, 'Name').fill('Typed And Kept')
      await save(page).click()
      await toast(page, 'Failed to update profile. Please try again.')
      await expect(field(page, 'Name')).toHaveValue('Typed And Kept')
      await page.unrouteAll()
      await save(page).click()
      await toast(page, 'Profile updated successfully!')
      await expect(shown(page, 'Name')).toHaveText('Typed And Kept')
    },
  )
}

// spec: 2.profile.4, 7.shopper.13
test(
  'a photo: preview, save, change, remove; the browser is told how to keep it',
  ON_PHONE,
  async ({ page, shopper }) => {
    await withAddress(shopper)
    await startEditing(page)
    await photo(page).setInputFiles(PHOTO)
    const preview = page.getByRole('img', { name: 'Preview of the photo' })
    await expect(preview).toBeVisible()
    await save(page).click()
    await toast(page, 'Profile updated successfully!')
    const first = (await shopper.session.must<User>('GET', '/api/user/isAuth')).image
    expect(first).toMatch(/^\/media\/.+\.webp$/)
    const served = await shopper.session.call('GET', first)
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe('image/webp')
    expect(served.headers.get('cache-control')).toContain('immutable')
    await expect(page.getByRole('main').locator(`img[src="${first}"]`)).toBeVisible()

    await edit(page).click()
    await photo(page).setInputFiles(OTHER_PHOTO)
    await save(page).click()
    await expect(page.getByTestId('toast')).toHaveCount(1)
    await expect
      .poll(async () => (await shopper.session.must<User>('GET', '/api/user/isAuth')).image)
      .not.toBe(first)

    await edit(page).click()
    await page.getByRole('button', { name: 'Remove photo' }).click()
    await save(page).click()
    await expect
      .poll(async () => (await shopper.session.must<User>('GET', '/api/user/isAuth')).image)
      .toBe('')
  },
)

test(
  'a phone’s photo comes out upright and without the place where it was taken',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const { name, email, phone } = shopper
    const form = formOf({ name, email, phone, address: 'Lazimpat 2, Kathmandu' })
    form.append('image', new Blob([new Uint8Array(turnedPhoto(6))], { type: 'image/jpeg' }), 'me.jpg')
    const { image } = await shopper.session.must<User>('PUT', CALL, form)
    await open(page, '/about')
    const { left, right, bytes } = await page.evaluate(async (address) => {
      const data = await (await fetch(address)).arrayBuffer()
      const picture = await createImageBitmap(new Blob([data]))
      const canvas = new OffscreenCanvas(picture.width, picture.height)
      const context = canvas.getContext('2d')
      context?.drawImage(picture, 0, 0)
      const colour = (x: number) => [...(context?.getImageData(x, picture.height / 2, 1, 1).data ?? [])]
      return {
        left: colour(1),
        right: colour(picture.width - 2),
        bytes: new TextDecoder('latin1').decode(data),
      }
    }, image)
    // Turned to the right, what was at the top is at the right.
    expect(right[0], 'red at the right').toBeGreaterThan(right[2] ?? 255)
    expect(left[2], 'blue at the left').toBeGreaterThan(left[0] ?? 255)
    expect(bytes).not.toMatch(/EXIF|XMP |ICCP/)
  },
)

test(
  'what is not a picture is refused: by its kind at once, by its content by the server',
  ON_DESKTOP,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(REFUSED)
    await withAddress(shopper)
    const sent = listen(page, CALL)
    await startEditing(page)
    const text = 'Invalid file type. Please upload a JPEG, PNG, GIF, or WebP image.'
    await photo(page).setInputFiles(DRAWING)
    await expect(page.getByRole('main').getByText(text)).toBeVisible()
    await photo(page).setInputFiles({
      name: 'big.png',
      mimeType: 'image/png',
      buffer: Buffer.alloc(10 * 1024 * 1024 + 1),
    })
    await expect(page.getByRole('main').getByText('File is too large. Maximum size is 10MB.')).toBeVisible()
    expect(sent).toHaveLength(0)
    await photo(page).setInputFiles(NOT_A_PHOTO)
    await save(page).click()
    await toast(page, 'Failed to update profile. Please try again.')
    await expect(page.getByRole('main').getByText(text)).toBeVisible()
    expect(sent).toHaveLength(1)
    expect(await shopper.session.must('GET', '/api/user/isAuth')).toMatchObject({ image: '' })
  },
)

test(
  'a changed e-mail counts only after the link in the letter to it; the old address is told',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    await withAddress(shopper)
    const next = somebody().email
    await startEditing(page)
    await field(page, 'Email').fill(next)
    await save(page).click()
    await toast(page, 'Profile updated successfully!')
    await expect(page.getByRole('main')).toContainText(next)
    await expect(shown(page, 'Email')).toContainText(shopper.email)
    expect(await shopper.session.must('GET', '/api/user/isAuth')).toMatchObject({
      email: shopper.email,
      pendingEmail: next,
    })
    const link = await waitForConfirmation(next)
    await letterTo(shopper.email, ({ text }) => text.includes(next) || /email/i.test(text))
    await page.goto(link)
    await expect(page.getByRole('main').getByText('Your email address is confirmed.')).toBeVisible()
    expect(await shopper.session.must('GET', '/api/user/isAuth')).toMatchObject({
      email: next,
      pendingEmail: null,
      emailConfirmed: true,
    })
    await logIn({ email: next, password: shopper.password })
  },
)

test(
  'an e-mail that belongs to somebody else is refused in words',
  ON_DESKTOP,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(REFUSED)
    await withAddress(shopper)
    const other = somebody()
    await register(other)
    await startEditing(page)
    await field(page, 'Email').fill(other.email)
    await save(page).click()
    await toast(page, 'Failed to update profile. Please try again.')
    await expect(field(page, 'Email')).toHaveAccessibleDescription(/This email already has an account/)
    await expect(field(page, 'Email')).toHaveValue(other.email)
  },
)

test('an unconfirmed address can have its letter sent again', ON_DESKTOP, async ({ page, shopper }) => {
  await open(page, '/profile')
  await page.getByRole('main').getByRole('button', { name: 'Send the letter again' }).click()
  await toast(page, 'A new letter is on its way.')
  await waitForConfirmation(shopper.email)
})

test(
  'the devices: this one is marked, another can be signed out, and then it is',
  ON_PHONE,
  async ({ page, shopper }) => {
    const elsewhere = await logIn(shopper)
    await open(page, '/profile')
    const devices = (await openFold(page, 'Your devices')).getByRole('listitem')
    await expect(devices).toHaveCount(2)
    const here = devices.filter({ hasText: 'This device' })
    await expect(here).toHaveCount(1)
    await expect(here.getByRole('button')).toHaveCount(0)
    await devices.getByRole('button', { name: /^Sign out/ }).click()
    await toast(page, 'The device has been signed out.')
    await expect(devices).toHaveCount(1)
    expect(await elsewhere.isSignedIn()).toBe(false)
    expect(await shopper.session.isSignedIn()).toBe(true)
  },
)

test('signing out everywhere asks first and ends this session too', ON_DESKTOP, async ({ page, shopper }) => {
  const elsewhere = await logIn(shopper)
  await open(page, '/profile')
  const devices = await openFold(page, 'Your devices')
  await devices.getByRole('button', { name: 'Sign out everywhere' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out everywhere?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await elsewhere.isSignedIn()).toBe(true)
  await devices.getByRole('button', { name: 'Sign out everywhere' }).click()
  await question.getByRole('button', { name: 'Sign out everywhere' }).click()
  await toast(page, 'You have been signed out everywhere.')
  await expect(page).toHaveURL('/')
  await expect(loginButton(page)).toBeVisible()
  expect(await elsewhere.isSignedIn()).toBe(false)
  expect(await shopper.session.isSignedIn()).toBe(false)
})

test('everything that is kept can be taken away as a file', ON_DESKTOP, async ({ page, shopper }) => {
  await shopper.session.must('POST', '/api/address/add_address', HOME_ADDRESS)
  await open(page, '/profile')
  const data = await openFold(page, 'Your data')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    data.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.json$/)
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  expect(JSON.stringify(JSON.parse(text))).toContain(shopper.email)
  expect(text).toContain(HOME_ADDRESS.street)
  expect(text, 'no hash of the password').not.toMatch(/argon2/i)
})

test(
  'deleting the account asks, wants the password, and then the person is gone',
  ON_DESKTOP,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(REFUSED)
    await open(page, '/profile')
    const data = await openFold(page, 'Your data')
    await data.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByLabel('Current password', { exact: true }).fill('not the password')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await toast(page, 'The current password is not right.')
    await dialog.getByLabel('Current password', { exact: true }).fill(shopper.password)
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await toast(page, 'Your account has been deleted.')
    await expect(page).toHaveURL('/')
    await expect(loginButton(page)).toBeVisible()
    expect(await shopper.session.isSignedIn()).toBe(false)
    await expect(logIn(shopper)).rejects.toThrow(/401/)
    // The e-mail address is free again.
    const { name, email, password, phone } = shopper
    await register({ name, email, password, phone })
  },
)

test('leaving the page with something unsaved asks first', ON_DESKTOP, async ({ page, shopper }) => {
  await withAddress(shopper)
  await startEditing(page)
  await field(page, 'Name').fill('Not Saved')
  await page.getByRole('banner').getByRole('link', { name: 'Offers', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(field(page, 'Name')).toHaveValue('Not Saved')
  await page.getByRole('banner').getByRole('link', { name: 'Offers', exact: true }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/offers')
})
