/** Whether the visitor has asked the browser to save data. The server sees it in the header `Save-Data`. */
export function saveData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
