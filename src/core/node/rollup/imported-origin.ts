// The L1 origins of imported blocks, with their deposits.

import type { SealedBlock } from '../../chain/block/block.ts'
import { isDeposit } from '../../execution/transaction/run-deposit.ts'
import { depositTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import { type Deposit, decodeDeposit } from '../../rollup/deposit.ts'
import type { Rules } from '../../rollup/rules.ts'
import { forksBegun, type ReadAttributes } from '../../rollup/stack.ts'
import { attributesOf, madeUpSourceHash } from './origins.ts'
import type { RollupConfig, RollupState } from './rollup-state.ts'

/** The deposits that wait after a block of the made-up layer 1 came from elsewhere: later ones, unless they were in it. */
function waitingAfter(
  config: RollupConfig,
  rollup: RollupState,
  imported: readonly Deposit[],
  l1Head: number,
): readonly Deposit[] {
  const { waiting } = rollup
  if (waiting.length === 0) return waiting
  const hashOf = (deposit: Deposit) => depositTransaction(deposit).hash
  const included = new Set(imported.map(hashOf))
  return waiting
    .filter((deposit) => !included.has(hashOf(deposit)))
    .map((deposit, position) => {
      const sourceHash = madeUpSourceHash(config, rollup, l1Head + 1, position)
      return { ...deposit, sourceHash }
    })
}

const hashesOf = (deposits: readonly Deposit[]): string =>
  deposits.map((deposit) => depositTransaction(deposit).hash).join()

/** Throws `layersApart` if an imported block has another L1 origin than the layer 1 has told, or other deposits. */
function expectTold(
  { l1Genesis, l1Blocks }: RollupState,
  { origin, sequenceNumber }: ReadAttributes,
  deposits: readonly Deposit[],
): void {
  const told = origin.number === l1Genesis.number ? l1Genesis : l1Blocks.get(origin.number)
  if (told?.hash !== origin.hash) {
    throw failure('layersApart', { reason: `${origin.hash} is not block ${origin.number} of the layer 1` })
  }
  if (hashesOf(deposits) !== hashesOf(sequenceNumber === 0 ? told.deposits : [])) {
    throw failure('layersApart', { reason: `block ${origin.number} of the layer 1 has other deposits` })
  }
}

/**
 * The state with the L1 block that an imported block is the first of, and the users' deposits in it: a block that
 * replaces the imported one includes them again. A real layer 1 has told of its blocks, and no others are taken.
 */
export async function withImportedOrigin(
  config: RollupConfig,
  rollup: RollupState,
  { rules, parentRules, executed }: Pick<SealedBlock, 'rules' | 'executed'> & { readonly parentRules: Rules },
): Promise<RollupState> {
  const attributes = attributesOf({ rules, executed })
  if (attributes === undefined) return rollup
  const { origin, sequenceNumber } = attributes
  const opening = executed.filter(({ transaction }) => isDeposit(transaction))
  let upgrades = 0
  for (const { upgrade } of forksBegun(rules, parentRules)) upgrades += (await upgrade?.())?.length ?? 0
  const ofUsers = opening.slice(1, opening.length - upgrades)
  const deposits = ofUsers.map(({ transaction }) => decodeDeposit(transaction.raw))
  if (config.layer1 === 'told') expectTold(rollup, attributes, deposits)
  if (config.layer1 === 'told' || sequenceNumber !== 0) return rollup
  const l1Head = Math.max(rollup.l1Head, origin.number)
  return {
    ...rollup,
    l1Blocks: rollup.l1Blocks.set(origin.number, { ...origin, deposits, system: rollup.system }),
    l1Head,
    waiting: waitingAfter(config, rollup, deposits, l1Head),
  }
}
