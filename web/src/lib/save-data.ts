/** Whether this visitor has asked the browser for as few bytes as possible. The server hears it by the header `Save-Data`. */
export function saveData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
