import '@/lib/dates-nepali'

export { default as messages } from '@/locales/ne.json'
