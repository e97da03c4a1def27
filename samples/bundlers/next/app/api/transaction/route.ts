import { firstTransaction } from '../../first-transaction.ts'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  return Response.json({ outcome: await firstTransaction() })
}
