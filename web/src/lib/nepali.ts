import '@/lib/dates-nepali'

export { default as messages } from '@data/messages/web/shell.ne.json'
