import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { catalogueQueries } from '@/features/catalogue/api'
import { activateLang } from '@/lib/i18n'
import { OffersPage } from '@/pages/storefront/offers-page'
import { PRODUCTS, productList } from '@/test/catalogue'
import { aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'
import { settled } from '@/test/settled'

const OIL = aProduct({ price: 272, wasPrice: 320, saleEndsAt: '2026-11-30T18:15:00Z', stock: 40 })

// spec: 2.offers.1, 2.offers.2, 2.offers.3
test('the offers page announces the mega offer, lists no offer and leads to the products', async () => {
  mockServer({ [PRODUCTS]: productList([]) })
  await renderInShop(<OffersPage />)
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent("Today's Best Offers & Deals")
  expect(await screen.findByText('Mega Offer Are Coming Soon!')).toBeInTheDocument()
  expect(screen.queryByRole('article')).toBeNull()
  expect(screen.getByRole('link', { name: 'Explore Products' })).toHaveAttribute('href', '/products')
  expect(screen.getByRole('textbox', { name: 'Email address' })).toBeInTheDocument()
  expect(document.title).toBe('Offers – Thunse')
})

test('products on sale are listed with the price before, which a screen reader reads too', async () => {
  const scarce = aProduct({ ...OIL, id: 'p-2', _id: 'p-2', name: 'Tea', stock: 3 })
  const requests = mockServer({ [PRODUCTS]: productList([OIL, scarce]) })
  await renderInShop(<OffersPage />)
  const [card, other] = await screen.findAllByRole('article')
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent("Today's Best Offers & Deals")
  expect(screen.queryByText('Mega Offer Are Coming Soon!')).toBeNull()
  expect(requests[0]?.query).toEqual({ discounted: 'true', limit: '24' })
  expect(card?.querySelector('.price')).toHaveTextContent('Rs. 272')
  expect(card?.querySelector('s')).toHaveTextContent('Rs. 320')
  expect(card).toHaveTextContent('was Rs. 320')
  expect(card?.querySelector('.badge')).toHaveTextContent('−15%')
  // A card has one badge, and little stock is more important.
  expect([...(other?.querySelectorAll('.badge') ?? [])].map((badge) => badge.textContent)).toEqual([
    'Only 3 left',
  ])
})

test('the price before a sale in Nepali', async () => {
  await activateLang('ne')
  mockServer({ [PRODUCTS]: productList([OIL]) })
  await renderInShop(<OffersPage />)
  const card = await screen.findByRole('article')
  expect(card).toHaveTextContent('पहिले रु. ३२०')
  expect(card.querySelector('.badge')).toHaveTextContent('−१५%')
  await activateLang('en')
})

test('the heading stays the same element when the offers are known, so that it keeps the focus', async () => {
  mockServer({ [PRODUCTS]: 'never' })
  await renderInShop(<OffersPage />)
  const heading = await screen.findByRole('heading', { level: 1 })
  queryClient.setQueryData(catalogueQueries.products({ discounted: true }).queryKey, {
    pages: [{ data: [], total: 0 }],
    pageParams: [''],
  } as never)
  await screen.findByText('Mega Offer Are Coming Soon!')
  expect(screen.getByRole('heading', { level: 1 })).toBe(heading)
})

const COUPON = {
  code: 'DASHAIN-10',
  percent: 10,
  maxDiscount: 200,
  amount: null,
  minimum: 500,
  startsAt: '2026-11-17T18:15:00Z',
  endsAt: '2026-11-30T18:15:00Z',
  usesPerCustomer: 1,
  about: 'For the festival',
  aboutNe: 'चाडका लागि',
}

test('nothing says that offers are coming while the coupons are on their way', async () => {
  mockServer({ [PRODUCTS]: productList([]), 'GET /api/coupon/get_public_coupons': 'never' })
  await renderInShop(<OffersPage />)
  await settled({ pending: 1 })
  expect(screen.getByRole('heading', { level: 1 })).toBeInTheDocument()
  expect(screen.queryByText('Mega Offer Are Coming Soon!')).toBeNull()
})

test('coupons are listed with their conditions, and a press copies the code', async () => {
  mockServer({
    [PRODUCTS]: productList([]),
    'GET /api/coupon/get_public_coupons': ok([
      COUPON,
      {
        ...COUPON,
        code: 'FIFTY',
        percent: null,
        maxDiscount: null,
        amount: 50,
        minimum: 0,
        usesPerCustomer: 3,
      },
    ]),
  })
  await renderInShop(<OffersPage />)
  const [card, other] = await screen.findAllByTestId('coupon')
  expect(screen.queryByText('Mega Offer Are Coming Soon!')).toBeNull()
  expect(card).toHaveTextContent('10% off, up to Rs. 200')
  expect(card).toHaveTextContent('For the festival')
  expect(card).toHaveTextContent('On orders of Rs. 500 or more · Once per customer')
  expect(card).toHaveTextContent('Until 30 Nov 2026, 23:59')
  expect(other).toHaveTextContent('Rs. 50 off')
  expect(other).toHaveTextContent('On any order · Up to 3 times per customer')
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Copy code DASHAIN-10' }))
  expect(await navigator.clipboard.readText()).toBe('DASHAIN-10')
})
