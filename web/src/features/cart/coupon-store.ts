import { createStore } from '@/lib/store'

const KEY = 'coupon'

function remembered(): string {
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    // Storage may be forbidden; then the code lives as long as this page.
    return ''
  }
}

const store = createStore(remembered())

/** The code of the coupon that the shopper uses for this cart; empty without one. It survives a reload of the page. */
export const couponCode = {
  ...store,
  set(code: string) {
    try {
      if (code) sessionStorage.setItem(KEY, code)
      else sessionStorage.removeItem(KEY)
    } catch {
      // Storage may be forbidden (see above).
    }
    store.set(code)
  },
}

/** The key of the quotes with a coupon. */
export const COUPON_KEY = ['coupon']
