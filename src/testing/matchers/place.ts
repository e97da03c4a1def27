// toBeSealed and toBePreconfirmed: where a transaction is included.

import { locate, type Matching, type MatchResult, requireHash, resultOf, settle } from './subject.ts'

export async function matchPlace(
  matching: Matching,
  received: unknown,
  status: 'sealed' | 'preconfirmed',
): Promise<MatchResult> {
  const hash = requireHash(matching.matcher, await settle(received))
  const found = await locate(matching, hash)
  const state = status === 'sealed' ? 'be sealed' : 'be pre-confirmed'
  return resultOf(matching, found.status === status, [`transaction ${hash}`, state], found.words)
}
