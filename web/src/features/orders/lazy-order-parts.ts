/** The parts of an order card that load after the list has been drawn, in one file. */
export { OrderDetails } from '@/features/orders/order-details'
export { OrderPayment } from '@/features/orders/order-payment'
export { Thumbs } from '@/features/orders/thumbs'
