import { firstTransaction } from './first-transaction.ts'
import { InBrowser } from './in-browser.tsx'

export const dynamic = 'force-dynamic'

export default async function Page() {
  return (
    <>
      <p>server component: {await firstTransaction()}</p>
      <InBrowser />
    </>
  )
}
