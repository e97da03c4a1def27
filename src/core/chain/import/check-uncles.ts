// Uncle checks of imported blocks (yellow paper, 11.1; geth, consensus/ethash, VerifyUncles).

import type { Hash } from '../../primitives/hex.ts'
import { hashHeader } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import type { SealedBlock } from '../block/block.ts'
import type { Uncle } from '../block/body.ts'
import { blockByHash, type Chain } from '../chain.ts'
import { type Claim, checkHeader, refuseClaim } from './check-header.ts'
import type { DecodedHeader } from './decode-block.ts'

const MAX_UNCLES = 2
const MAX_GENERATIONS = 7

/** The last blocks up to `parent` by hash; an uncle may be a child of any but `parent`. */
function ancestorsOf(chain: Chain, parent: SealedBlock): Map<Hash, SealedBlock> {
  const ancestors = new Map<Hash, SealedBlock>()
  let ancestor: SealedBlock | undefined = parent
  for (let generation = 0; generation < MAX_GENERATIONS && ancestor !== undefined; generation++) {
    ancestors.set(ancestor.hash, ancestor)
    ancestor = blockByHash(chain, ancestor.header.parentHash)
  }
  return ancestors
}

function hashOf({ rules, header }: Uncle): Hash {
  return hashHeader(rules, header)
}

/** Throws `invalidBlock` if a block on `parent` may not have these uncles; `headers` are their decoded headers. */
export function checkUncles(
  schedule: Schedule,
  chain: Chain,
  { rules, number, parent }: { readonly rules: Rules; readonly number: number; readonly parent: SealedBlock },
  uncles: readonly Uncle[],
  headers: readonly DecodedHeader[],
): void {
  const block: Claim = { number, prefix: '' }
  // EIP-3675
  const most = isForkActive(rules, 'paris') ? 0 : MAX_UNCLES
  if (uncles.length > most) refuseClaim(block, 'uncles', `at most ${most}`, uncles.length)
  if (uncles.length === 0) return
  const ancestors = ancestorsOf(chain, parent)
  const known = new Set([...ancestors.values()].flatMap(({ body }) => body.uncles.map(hashOf)))
  for (const [index, header] of headers.entries()) {
    const uncle = uncles[index] as Uncle
    const hash = hashOf(uncle)
    if (known.has(hash)) refuseClaim(block, `uncle ${index}`, 'one that no block has yet', hash)
    known.add(hash)
    if (ancestors.has(hash)) refuseClaim(block, `uncle ${index}`, 'no ancestor of the block', hash)
    const branch = ancestors.get(header.parentHash)
    if (branch === undefined || branch === parent) {
      const expected = `a child of one of the ${MAX_GENERATIONS - 1} blocks before the parent`
      refuseClaim(block, `uncle ${index}`, expected, `a child of ${header.parentHash}`)
    }
    checkHeader(schedule, { number, prefix: `uncle ${index} ` }, uncle.rules, branch, header)
  }
}
