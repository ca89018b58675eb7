import type { Category, Product } from '@/features/catalogue/api'

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
