import { afterEach, expect, test } from 'vitest'
import { hideWalletReturn, parseWalletReturn, readWalletReturn } from '@/features/payments/wallet-return'

afterEach(() => window.history.replaceState(null, '', '/'))

test('the four values are read, and nothing else', () => {
  expect(
    parseWalletReturn(
      '?pidx=P&txnId=T&amount=1000&status=Completed&mobile=98XXXXX904&purchase_order_id=O&purchase_order_name=Order%20of%20tea',
    ),
  ).toEqual({ pidx: 'P', txnId: 'T', purchase_order_id: 'O', purchase_order_name: 'Order of tea' })
})

test.each([
  ['transaction_id', '?pidx=P&transaction_id=T'],
  ['tidx', '?pidx=P&tidx=T'],
  ['an empty txnId beside it', '?pidx=P&txnId=&transaction_id=T'],
])('the transaction may be called otherwise (%s)', (_name, query) => {
  expect(parseWalletReturn(query).txnId).toBe('T')
})

test.each(['', '?', '?pidx=&txnId=', '?pidx=%20', '?message=no'])('%j says nothing', (query) => {
  expect(parseWalletReturn(query)).toEqual({
    pidx: '',
    txnId: '',
    purchase_order_id: '',
    purchase_order_name: '',
  })
})

test('what was taken is gone from the address, and still there after a reload', () => {
  window.history.replaceState({ key: 'router' }, '', '/payment?pidx=P&txnId=T&purchase_order_id=O')
  const returned = readWalletReturn()
  hideWalletReturn(returned)
  expect(window.location.href).not.toContain('pidx')
  expect(window.history.state).toMatchObject({ key: 'router' })
  expect(readWalletReturn()).toEqual(returned)
})

test('another visit has nothing to do with the one before', () => {
  window.history.replaceState(null, '', '/payment?pidx=P&txnId=T')
  hideWalletReturn(readWalletReturn())
  window.history.pushState(null, '', '/payment')
  expect(readWalletReturn().pidx).toBe('')
})
