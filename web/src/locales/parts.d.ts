/** Made by build/compiled-messages.ts: the messages of one part, compiled. */
declare module '*.json?part=about' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=people' {
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
declare module '*.json?part=shelf' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=news' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=order' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=payment' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=wallet' {
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
declare module '*.json?part=bar' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=piece' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=desk' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=office' {
  const messages: import('@lingui/core').Messages
  export default messages
}
declare module '*.json?part=shelves' {
  const messages: import('@lingui/core').Messages
  export default messages
}
