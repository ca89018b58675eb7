/** The seller's pages about payments, in one file. */
export { SellerAttentionPage } from '@/pages/seller/attention-page'
export { SellerMoneyPage } from '@/pages/seller/money-page'
