/** The desk's pages about money, in one file. */
export { SellerAttentionPage } from '@/pages/seller/seller-attention-page'
export { SellerMoneyPage } from '@/pages/seller/seller-money-page'
