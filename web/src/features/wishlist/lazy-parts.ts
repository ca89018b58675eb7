/** The parts that load after a page, in one file with their messages. */
export { FavouriteButton } from '@/features/wishlist/favourite-button'
export { StockNotice } from '@/features/wishlist/stock-notice'
