import type { User } from '@/features/accounts/session'
import type { Address } from '@/features/addresses/api'
import type { Category, Product } from '@/features/catalogue/api'
import type { Order } from '@/features/orders/api'

export function aProduct(changes: Partial<Product> = {}): Product {
  return {
    _id: 'p-oil',
    id: 'p-oil',
    slug: 'mustard-oil',
    name: 'Mustard Oil',
    nameNe: 'तोरीको तेल',
    description: 'Cold pressed.',
    descriptionNe: null,
    category: 'Oil & Ghee',
    categoryNe: null,
    categorySlug: 'oil-ghee',
    price: 320,
    taxClass: 'standard',
    image: null,
    imageSet: null,
    tags: ['staple', 'local', 'new'],
    tagsNe: [],
    rating: 4.6,
    reviews: 38,
    stock: 42,
    unit: { amount: 1, measure: 'l', label: '1 L bottle', labelNe: null },
    unitPrice: { price: 320, per: 'l' },
    ...changes,
  }
}

export function aCategory(changes: Partial<Category> = {}): Category {
  return {
    _id: 'c-oil',
    name: 'Oil & Ghee',
    nameNe: null,
    slug: 'oil-ghee',
    description: '',
    descriptionNe: null,
    image: null,
    imageSet: null,
    icon: null,
    totalproducts: 6,
    ...changes,
  }
}

export function aUser(changes: Partial<User> = {}): User {
  return {
    _id: 'u-sita',
    name: 'Sita Sharma',
    email: 'sita@example.com',
    image: null,
    imageSet: null,
    phone: '9841234567',
    phoneVerified: false,
    address: 'Baneshwor-10, Kathmandu',
    // Late evening in London is already the next day in Nepal.
    createdAt: '2026-03-02T20:30:00Z',
    updatedAt: '2026-11-14T19:00:00Z',
    emailConfirmed: true,
    pendingEmail: null,
    hasPassword: true,
    google: false,
    ...changes,
  }
}

export function anAddress(changes: Partial<Address> = {}): Address {
  return {
    _id: 'a-home',
    address: 'Home',
    phone: '9841234567',
    street: 'Baneshwor-10',
    city: 'Kathmandu',
    state: 'Bagmati',
    country: 'Nepal',
    pincode: '44600',
    district: 'Kathmandu',
    municipality: 'Kathmandu',
    ward: '10',
    landmark: '',
    isDefault: true,
    line: 'Baneshwor-10, Kathmandu, Bagmati, Nepal 44600',
    ...changes,
  }
}

export function anOrder(changes: Partial<Order> = {}): Order {
  return {
    _id: 'o-1',
    orderId: 'TH7K2M',
    date: '2026-11-14T08:20:00Z',
    status: 'Order Placed',
    paymentMethod: 'COD',
    paymentState: 'cod_due',
    total: 812.2,
    subtotal: 701.06,
    tax: 91.14,
    shippingFee: 20,
    vatRegistered: true,
    trackingNumber: 'TRK-9Q4X',
    deliveryDate: '2026-11-17',
    userId: {
      name: 'Sita Sharma',
      email: 'sita@example.com',
      phone: '9841234567',
      address: 'Baneshwor-10, Kathmandu',
      municipality: 'Kathmandu',
      ward: '10',
      landmark: 'Behind the temple',
    },
    cashToCollect: 812.2,
    items: [
      {
        _id: 'p-oil',
        name: 'Mustard Oil',
        nameNe: 'तोरीको तेल',
        image: null,
        imageSet: null,
        price: 320,
        quantity: 2,
      },
      {
        _id: 'p-tea',
        name: 'Ilam Tea',
        nameNe: null,
        image: null,
        imageSet: null,
        price: 61.06,
        quantity: 1,
      },
    ],
    timeline: [{ _id: 't-1', status: 'Order Placed', date: '2026-11-14T08:20:00Z' }],
    canCancel: true,
    canPay: false,
    attention: [],
    ...changes,
  }
}
