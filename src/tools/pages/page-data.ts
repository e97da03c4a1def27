// The data that a page brings along, as `renderPage` writes it.

import { PAGE_DATA_ID } from '../view/page.ts'

export function readPageData(): unknown {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent ?? undefined
  if (text === undefined) throw new Error('the page has no data')
  return JSON.parse(text)
}
