/** The stream of all orders, for the seller dashboard. */
export const SELLER_STREAM = '/api/order/live_all'
