// Setting ERC-20 balances and allowances, whatever the storage layout of the token: the slot is found by calls.

import type { OpenBlock } from '../../chain/block/block.ts'
import {
  findSlot,
  type NumberQuery,
  type QueryContext,
  queryNumber,
  withSlotWritten,
} from '../../execution/call/find-slot.ts'
import { environmentWith } from '../../execution/evm/environment.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, bigIntToBytes, concatBytes, hexToBytes, padLeft } from '../../primitives/hex.ts'
import { MAX_UINT256 } from '../../primitives/numbers.ts'
import { readAccount } from '../../state/world-state.ts'
import { currentOpenBlock, executionContext, type NodeConfig, type NodeState } from '../node-state.ts'
import { setStorageAt } from './edit-state.ts'

/** A call of a token (EIP-20), and the name of its answer in errors. */
interface TokenQuery extends NumberQuery {
  readonly what: string
}

function queryOf(token: Address, what: string, selector: string, ...of: Address[]): TokenQuery {
  const words = of.map((address) => padLeft(hexToBytes(address), 32))
  return { contract: token, what, input: concatBytes(hexToBytes(selector), ...words) }
}

/** A state in a block, such as that of a block being built. */
export type QueryPlace = Pick<OpenBlock, 'rules' | 'environment' | 'state'>

/** Token calls at a place in a block, without a gas price. */
export function queryContextAt(
  config: NodeConfig,
  state: NodeState,
  { rules, environment, state: world }: QueryPlace,
): QueryContext {
  const free = environmentWith(environment, { baseFeePerGas: 0n })
  return { context: executionContext(config, state, rules), environment: free, world }
}

/** The present answer; throws `tokenNotSettable` if there is none. */
async function currentAnswer(config: NodeConfig, state: NodeState, query: TokenQuery): Promise<bigint> {
  const { contract, what } = query
  const place = queryContextAt(config, state, currentOpenBlock(config, state))
  const refuse = (reason: string): never => {
    throw failure('tokenNotSettable', { token: contract, what, reason })
  }
  if (readAccount(place.world, contract).code.bytes.length === 0) refuse('there is no code at this address')
  return (await queryNumber(place, query)) ?? refuse('it does not answer what ERC-20 says')
}

/** Makes a token answer a call with a number; throws `tokenNotSettable`. */
async function setAnswer(
  config: NodeConfig,
  state: NodeState,
  query: TokenQuery,
  number: bigint,
): Promise<NodeState> {
  await currentAnswer(config, state, query)
  const { contract: token, what } = query
  const place = queryContextAt(config, state, currentOpenBlock(config, state))
  const found = await findSlot(place, query)
  if (found === undefined) {
    const reason = 'no storage slot holds it by itself; it is packed with something else, or worked out'
    throw failure('tokenNotSettable', { token, what, reason })
  }
  const fits = number >= 0n && number <= MAX_UINT256
  if (!fits || (await queryNumber(withSlotWritten(place, found, number), query)) !== number) {
    throw failure('tokenNotSettable', { token, what, reason: `${number} does not fit it` })
  }
  const { address, slot } = found
  return setStorageAt(state, address, slot, bigIntToBytes(number))
}

export interface Deal {
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
  /** The total supply: unchanged, or changed by the same amount. */
  readonly supply: 'kept' | 'adjusted'
}

/** Gives an account a balance of a token; throws `tokenNotSettable`. */
export async function dealToken(
  config: NodeConfig,
  state: NodeState,
  { token, to, amount, supply }: Deal,
): Promise<NodeState> {
  const balance = queryOf(token, `balance of ${to}`, '0x70a08231', to)
  const dealt = await setAnswer(config, state, balance, amount)
  if (supply === 'kept') return dealt
  const totalSupply = queryOf(token, 'total supply', '0x18160ddd')
  const before = await currentAnswer(config, state, balance)
  const total = await currentAnswer(config, state, totalSupply)
  return setAnswer(config, dealt, totalSupply, total - before + amount)
}

export interface Allowance {
  readonly token: Address
  readonly owner: Address
  readonly spender: Address
  readonly amount: bigint
}

/** Gives a spender an allowance of a token; throws `tokenNotSettable`. */
export function setAllowance(
  config: NodeConfig,
  state: NodeState,
  { token, owner, spender, amount }: Allowance,
): Promise<NodeState> {
  const what = `allowance of ${spender} from ${owner}`
  return setAnswer(config, state, queryOf(token, what, '0xdd62ed3e', owner, spender), amount)
}
