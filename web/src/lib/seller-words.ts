import { addParts } from '@/lib/i18n'

/** What the seller's pages say, apart, so that a shopper's first download does not even hold the names of these files. */
addParts({
  desk: {
    en: () => import('@/locales/en.json?part=desk'),
    ne: () => import('@/locales/ne.json?part=desk'),
  },
  office: {
    en: () => import('@/locales/en.json?part=office'),
    ne: () => import('@/locales/ne.json?part=office'),
  },
  seller: {
    en: () => import('@/locales/en.json?part=seller'),
    ne: () => import('@/locales/ne.json?part=seller'),
  },
  shelves: {
    en: () => import('@/locales/en.json?part=shelves'),
    ne: () => import('@/locales/ne.json?part=shelves'),
  },
  wallet: {
    en: () => import('@/locales/en.json?part=wallet'),
    ne: () => import('@/locales/ne.json?part=wallet'),
  },
})
