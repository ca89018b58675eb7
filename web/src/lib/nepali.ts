import '@/lib/dates-nepali'

export { default as words } from '@/locales/ne.json'
