import { describe, expect, test } from 'vitest'
import { latinDigits } from '@/lib/latin-digits'
import { formatAmount, formatMoney, formatNumber, toPaisa } from '@/lib/money'

describe('money', () => {
  // spec: 9.const.1, 9.const.6
  test.each([
    [1130, 'Rs. 1130.00', 'रु. ११३०.००'],
    [9999.99, 'Rs. 9999.99', 'रु. ९९९९.९९'],
    [12347.75, 'Rs. 12,347.75', 'रु. १२,३४७.७५'],
    [123456.7, 'Rs. 1,23,456.70', 'रु. १,२३,४५६.७०'],
    [0, 'Rs. 0.00', 'रु. ०.००'],
  ])('a bill prints %d rupees as %s', (rupees, english, nepali) => {
    expect(formatMoney(toPaisa(rupees), 'en', 'always')).toBe(english)
    expect(formatMoney(toPaisa(rupees), 'ne', 'always')).toBe(nepali)
  })

  test('a price tag shows paisa only when there are any', () => {
    expect(formatMoney(toPaisa(250), 'en', 'auto')).toBe('Rs. 250')
    expect(formatMoney(toPaisa(99.5), 'en', 'auto')).toBe('Rs. 99.50')
    expect(formatAmount(toPaisa(300), 'ne', 'auto')).toBe('३००')
  })

  test('rupees from the wire become exact paisa', () => {
    expect(toPaisa(0.1 + 0.2)).toBe(30)
    expect(toPaisa(1.005 * 100)).toBe(10050)
    expect(toPaisa(333.33)).toBe(33333)
  })

  test('digits can be written in Devanagari and read back', () => {
    expect(formatNumber(4.6, 'ne', 1)).toBe('४.६')
    expect(latinDigits('९८४१०००००५')).toBe('9841000005')
  })
})
