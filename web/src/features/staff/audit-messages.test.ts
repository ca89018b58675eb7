import { expect, test } from 'vitest'
import { actionMessage, changesOf, importMessage, plainValue } from '@/features/staff/audit-messages'

test('one thing changed as a whole', () => {
  expect(changesOf({ before: 'Order Placed', after: 'Delivered' })).toEqual([
    { column: '', before: 'Order Placed', after: 'Delivered' },
  ])
})

test('several columns are told apart', () => {
  expect(
    changesOf({ before: 'price: 120; description: Cold; pressed', after: 'price: 130; description: ' }),
  ).toEqual([
    { column: 'price', before: '120', after: '130' },
    { column: 'description', before: 'Cold; pressed', after: '' },
  ])
})

test('columns that do not match stay as they are', () => {
  expect(changesOf({ before: 'price: 1', after: 'stock: 2' })).toEqual([
    { column: '', before: 'price: 1', after: 'stock: 2' },
  ])
})

test('something new, something gone, nothing', () => {
  expect(changesOf({ before: '', after: 'price: 5; stock: 2' })).toEqual([
    { column: 'price', before: '', after: '5' },
    { column: 'stock', before: '', after: '2' },
  ])
  expect(changesOf({ before: 'old-slug', after: '' })).toEqual([
    { column: '', before: 'old-slug', after: '' },
  ])
  expect(changesOf({ before: '', after: '' })).toEqual([])
})

test('an action that is newer than the page has no words', () => {
  expect(actionMessage('order.status')).toBe('seller.audit.action.orderStatus')
  expect(actionMessage('seller.create')).toBeNull()
})

test.each([
  ['[{"href":"/offers","title":"Dashain"},{"title":"Tihar"}]', 'Dashain, Tihar'],
  ['{"email":"","name":"Gita","phone":"98"}', 'Gita, 98'],
  ['[]', ''],
  ['[not json', '[not json'],
  ['plain', 'plain'],
])('%s is told as %s', (text, told) => {
  expect(plainValue(text)).toBe(told)
})

test('how far a spreadsheet was is told in words, as far as this page knows them', () => {
  expect(importMessage('applied')).toBe('seller.audit.import.applied')
  expect(importMessage('something newer')).toBeNull()
})
