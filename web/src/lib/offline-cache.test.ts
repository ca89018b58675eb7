import { describe, expect, test } from 'vitest'
import { pageCacheKey, resourceKind, responsesFor } from '@/lib/offline-cache'

const at = (path: string) => new URL(path, 'https://thunse.example')

describe('what this device may keep', () => {
  test.each([
    ['/', 'pages'],
    ['/products?search=tea', 'pages'],
    ['/category/spices', 'pages'],
    ['/product/spices/12', 'pages'],
    ['/cart', 'pages'],
    ['/api/product/get_products?limit=24', 'answers'],
    ['/api/product/get_product/12', 'answers'],
    ['/api/category/get_category_public', 'answers'],
    ['/api/coupon/get_public_coupons', 'answers'],
    ['/api/product/get_products_by_ids?ids=1,2', 'byIds'],
    ['/assets/core-abc.js', 'files'],
    ['/media/0a1b-128-256/128.webp', 'pictures'],
  ])('%s is one of the %s', (path, kind) => {
    expect(resourceKind(at(path))).toBe(kind)
  })

  test.each([
    '/orders',
    '/profile',
    '/payment?pidx=1',
    '/add_address',
    '/reset-password',
    '/confirm-email',
    '/cancel-email-change',
    '/unsubscribe',
    '/newsletter/confirm',
    '/newsletter/unsubscribe',
    '/complaints/1',
    '/api/alerts/preferences',
    '/seller',
    '/seller/orders',
    '/api/user/isAuth',
    '/api/user/export',
    '/api/user/google/start',
    '/api/cart/get_cart',
    '/api/address/get_addresses',
    '/api/order/get_order',
    '/api/order/live',
    '/api/seller/checkSeller',
    '/api/product/get_seller_products',
    '/api/product/get_imports',
    '/api/category/get_categories',
    '/api/coupon/get_coupons',
    '/api/shop/get_settings',
    '/sw.js',
    '/robots.txt',
  ])('%s is never cached', (path) => {
    expect(resourceKind(at(path))).toBeUndefined()
  })

  test.each(['/api/user/logout', '/api/seller/logout', '/api/user/delete', '/api/user/sessions/end_all'])(
    '%s takes along what was looked at',
    (path) => {
      expect(resourceKind(at(path))).toBe('leaving')
    },
  )
})

test('a page is one page, whatever others have hung on its address', () => {
  expect(pageCacheKey(at('/?utm_source=newsletter'))).toBe('/')
  expect(pageCacheKey(at('/product/spices/12?fbclid=1#reviews'))).toBe('/product/spices/12')
  expect(pageCacheKey(at('/products?sort=name&x=1&search=tea%20leaf&category='))).toBe(
    '/products?search=tea+leaf&sort=name',
  )
})

test('the answers of a page are spelled as the app asks for them', () => {
  expect(responsesFor(at('/'))).toEqual([
    '/api/category/get_category_public',
    '/api/product/get_products?limit=24',
  ])
  expect(responsesFor(at('/products?search=tea leaf&sort=name'))).toEqual([
    '/api/product/get_products?limit=24&search=tea+leaf&sort=name',
  ])
  expect(responsesFor(at('/category/spices'))).toContain('/api/product/get_products?category=spices&limit=24')
  expect(responsesFor(at('/product/spices/12'))).toEqual(['/api/product/get_product/12'])
  expect(responsesFor(at('/offers'))).toEqual([
    '/api/product/get_products?discounted=true&limit=24',
    '/api/coupon/get_public_coupons',
  ])
  expect(responsesFor(at('/cart'))).toEqual([])
})
