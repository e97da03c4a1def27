// The rules of the blocks above a fork: of the table of networks, or as the upstream shows them.

import { toQuantity } from '../primitives/hex.ts'
import { isActiveUnder } from '../rollup/hardforks.ts'
import type { BlobParameters } from '../rollup/rules.ts'
import { answeredCount, answeredObject, fieldIn, placeOf } from './answers.ts'
import type { ForkHeader } from './header-fields.ts'
import { type ForkRules, hardforkOfHeader, isLastKnown, knownRulesAt } from './networks.ts'
import type { AskUpstream } from './source.ts'
import { nameOfRequest } from './upstream.ts'

/** Init code that returns CLZ(1), an opcode of osaka (EIP-7939). */
const COUNT_ZEROS = '0x60011e5f5260205ff3'

/** The blob parameters in `eth_config` (EIP-7910), if they were those of the block already. */
function blobsIn(config: unknown, { timestamp }: ForkHeader): BlobParameters | undefined {
  if (config === null) return undefined
  const place = placeOf(nameOfRequest('eth_config', []))
  const [current, currentAt] = fieldIn(answeredObject(config, place), 'current', place)
  const fields = answeredObject(current, currentAt)
  const [schedule, scheduleAt] = fieldIn(fields, 'blobSchedule', currentAt)
  const isLater = answeredCount(...fieldIn(fields, 'activationTime', currentAt), 0) > timestamp
  if (isLater || schedule === null || schedule === undefined) return undefined
  const read = (name: string, least = 1): number =>
    answeredCount(...fieldIn(answeredObject(schedule, scheduleAt), name, scheduleAt), least)
  // A rollup, which has no blobs, says zeros.
  if (read('max', 0) === 0) return undefined
  return { target: read('target'), max: read('max'), baseFeeUpdateFraction: read('baseFeeUpdateFraction') }
}

/**
 * The rules that continue a chain after a block: those of the table, unless the header is newer, as on development
 * chains with the id of a network. Headers of osaka look like those of prague, so beyond the table the upstream is asked
 * what it executes there.
 *
 * @param askIfAble Answers null to what the upstream refuses.
 */
export async function rulesAt(
  askIfAble: AskUpstream,
  chainId: number,
  header: ForkHeader,
  isRollup: boolean,
): Promise<ForkRules> {
  const known = knownRulesAt(chainId, header)
  const shown = hardforkOfHeader(header)
  const isNewest = known !== undefined && (shown === undefined || isActiveUnder(known.hardfork, shown))
  if (isNewest && !(isRollup && known.hardfork === 'prague' && isLastKnown(chainId, 'prague'))) return known
  const hardfork = shown ?? 'berlin'
  if (hardfork !== 'prague') return { hardfork, blobs: undefined }
  const [zeros, config] = await Promise.all([
    askIfAble('eth_call', [{ data: COUNT_ZEROS }, toQuantity(header.number)]),
    // It has no blobs.
    isRollup ? null : askIfAble('eth_config', []),
  ])
  return { hardfork: zeros === null ? 'prague' : 'osaka', blobs: blobsIn(config, header) }
}
