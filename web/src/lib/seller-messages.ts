import { addMessageParts } from '@/lib/i18n'

/**
 * The messages of the seller's pages are separate, so that a shopper's first download does not even name these files.
 */
addMessageParts({
  sellerOrders: {
    en: () => import('@/locales/en.json?part=sellerOrders'),
    ne: () => import('@/locales/ne.json?part=sellerOrders'),
  },
  sellerShop: {
    en: () => import('@/locales/en.json?part=sellerShop'),
    ne: () => import('@/locales/ne.json?part=sellerShop'),
  },
  seller: {
    en: () => import('@/locales/en.json?part=seller'),
    ne: () => import('@/locales/ne.json?part=seller'),
  },
  sellerCatalogue: {
    en: () => import('@/locales/en.json?part=sellerCatalogue'),
    ne: () => import('@/locales/ne.json?part=sellerCatalogue'),
  },
  sellerImports: {
    en: () => import('@/locales/en.json?part=sellerImports'),
    ne: () => import('@/locales/ne.json?part=sellerImports'),
  },
  sellerPayments: {
    en: () => import('@/locales/en.json?part=sellerPayments'),
    ne: () => import('@/locales/ne.json?part=sellerPayments'),
  },
})
