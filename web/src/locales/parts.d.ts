/** Made by build/compiled-messages.ts: the messages of one part, compiled. */
declare module '*.json?part=about' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=account' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=seller' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=cart' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=orders' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=catalogue' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=newsletter' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=orderDetails' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=payment' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=sellerPayments' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=ad' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=offline' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=freeShipping' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=stepper' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=sellerOrders' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=sellerShop' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=sellerCatalogue' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=sellerImports' {
  const messages: import('@lingui/core').Messages
  export default messages
}
