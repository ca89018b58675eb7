/** What a card is given once the list itself has been drawn, in one file. */
export { OrderDetails } from '@/features/orders/order-details'
export { OrderPayment } from '@/features/orders/order-payment'
export { Thumbs } from '@/features/orders/thumbs'
