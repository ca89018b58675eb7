/** Back to the field: the button that emptied it goes with the text that nothing matched, and must not take the keyboard along. */
export const focusSearch = () => document.querySelector<HTMLElement>('.order-search input')?.focus()
