import type { SellerCategory } from '@/features/catalogue/seller/categories-api'
import type { Import, ImportRow } from '@/features/catalogue/seller/import-api'
import type { SellerProduct, SellerProductPage } from '@/features/catalogue/seller/products-api'
import type { ShopSettings } from '@/features/shop/seller/settings-api'
import { aCategory, aProduct } from '@/test/fixtures'

export function aSellerProduct(changes: Partial<SellerProduct> = {}): SellerProduct {
  return { ...aProduct(), barcode: null, aliases: ['tori ko tel'], version: 'v1', ...changes }
}

export function aSellerPage(data: SellerProduct[], changes: Partial<SellerProductPage> = {}) {
  const body: SellerProductPage = {
    success: true,
    message: '',
    data,
    nextCursor: null,
    total: data.length,
    totalCapped: false,
    counts: { all: data.length, low: 1, out: 1 },
    ...changes,
  }
  return { body }
}

export function aSellerCategory(changes: Partial<SellerCategory> = {}): SellerCategory {
  return { ...aCategory({ description: 'Pressed and clarified.' }), version: 'v1', ...changes }
}

export function anImport(changes: Partial<Import> = {}): Import {
  return {
    _id: 'imp-1',
    fileName: 'products.csv',
    state: 'checked',
    done: 4,
    total: 4,
    counts: { add: 1, update: 1, same: 2, error: 0 },
    pictures: 0,
    message: '',
    createdAt: '2026-11-15T06:05:00Z',
    finishedAt: null,
    by: 'Ram',
    ...changes,
  }
}

export function anImportRow(changes: Partial<ImportRow> = {}): ImportRow {
  return {
    row: 2,
    slug: 'mustard-oil',
    name: 'Mustard Oil',
    kind: 'update',
    changes: [{ column: 'price', before: '320', after: '335' }],
    errors: [],
    ...changes,
  }
}

/** The settings of a new shop: names only, with the specification's fees and limits. */
export function shopSettings(changes: Partial<ShopSettings> = {}): ShopSettings {
  return {
    brand: 'Thunse',
    brandNe: 'थुन्से',
    tagline: '',
    taglineNe: '',
    phone: '',
    email: '',
    address: '',
    addressNe: '',
    registrationNumber: '',
    panNumber: '',
    grievance: { name: '', phone: '', email: '' },
    deliveryPromise: '',
    deliveryPromiseNe: '',
    social: [],
    banners: [],
    shippingFee: 20,
    freeShippingAbove: 1000,
    taxRate: 13,
    vatRegistered: true,
    pricesIncludeTax: false,
    weightTolerance: 10,
    lowStock: 10,
    deliveryDays: 2,
    cartLines: 100,
    largestOrder: 200_000,
    ordersPerMinute: 5,
    ordersPerDay: 30,
    openCashOrders: 3,
    openCashWorth: 25_000,
    unpaidOrders: 2,
    heldPerProduct: 20,
    billing: { document: 'order_receipt', issueAt: 'delivery', outlet: '01', abbreviatedPermitted: false },
    ...changes,
  }
}
