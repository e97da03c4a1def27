// Cheatcodes that execute a signed transaction; and of scripts: broadcasts, delegations (EIP-7702) and blobs.

import type { EvmResult } from '../../core/execution/evm/covered-evm.ts'
import { environmentWith } from '../../core/execution/evm/pooled-evm.ts'
import { messageOutcome } from '../../core/execution/evm/run-message.ts'
import { floorGas, intrinsicGas } from '../../core/execution/transaction/intrinsic-gas.ts'
import * as transactions from '../../core/execution/transaction/transaction.ts'
import { decodeTransaction } from '../../core/pool/decode.ts'
import { addressOfPublicKey, keccak256, recoverPublicKey } from '../../core/primitives/crypto.ts'
import { TickchainError } from '../../core/primitives/errors.ts'
import {
  type Address,
  bytesToHex,
  concatBytes,
  type Hash,
  type Hex,
  hexToBytes,
} from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/loading.ts'
import { encodeItems } from '../../core/primitives/rlp.ts'
import { EMPTY_CODE, makeCode, readAccount, updateAccount } from '../../core/state/world-state.ts'
import { objectOf } from '../solidity/artifacts/json.ts'
import { beginPrank } from './call-cheatcodes.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { runAsTransaction } from './nested-calls.ts'
import { prankAt, withoutPrank } from './pranks.ts'
import { haltName } from './revert-words.ts'
import { keyAddress, remember, sign } from './signing-cheatcodes.ts'

function broadcast(run: CheatExecution, signer: Address | bigint | undefined, isLasting: boolean): void {
  const before = prankAt(run.cheats.pranks, run.message.depth)
  if (before !== undefined) {
    const other = 'you have an active prank; broadcasting and pranks are not compatible'
    refuseWith(before.isBroadcast ? 'a broadcast is active already' : other)
  }
  const { keys } = run.cheats
  const [only] = keys.size === 1 ? keys.keys() : []
  const { transaction } = run.evm.environment as NonNullable<typeof run.evm.environment>
  const sender = only ?? bytesToHex(transaction.origin.bytes)
  const as = typeof signer === 'bigint' ? remember(run, signer) : (signer ?? sender)
  beginPrank(run, { as, origin: as, isLasting, isForDelegates: false, isBroadcast: true })
}

/** `SignedDelegation` of forge-std. */
const DELEGATION = '(uint8,bytes32,bytes32,uint64,address)'
type Delegation = readonly [v: bigint, r: Hex, s: Hex, nonce: bigint, implementation: Address]

const MAGIC = 5
const DESIGNATOR = Uint8Array.of(0xef, 1, 0)

function authorizationHash(run: CheatExecution, to: Address, nonce: bigint, isForAllChains: boolean) {
  const chainId = isForAllChains ? 0n : run.chainId
  return keccak256(encodeItems([chainId, to, nonce], MAGIC))
}

/** The nonce that an authorization has to have; a broadcast of the same account comes before it. */
function nextNonce({ cheats, writer, message, attached }: CheatExecution, authority: Address): bigint {
  const prank = prankAt(cheats.pranks, message.depth)
  const own = attached.delegations.filter((each) => each === authority).length
  const isSender = prank?.isBroadcast === true && prank.as === authority && own === 0
  return readAccount(writer.current, authority).nonce + BigInt(own) + (isSender ? 1n : 0n)
}

type Signing = [to: Address, key: bigint, more?: bigint | boolean]

function signDelegation(run: CheatExecution, ...[to, key, more]: Signing): Delegation {
  if (key === 0n) refuseWith('signature error')
  const authority = keyAddress(key)
  const nonce = typeof more === 'bigint' ? more : nextNonce(run, authority)
  // As in forge, which reads the account for its nonce.
  if (typeof more !== 'bigint') run.evm.access.warmUp(authority)
  const hash = bytesToHex(authorizationHash(run, to, nonce, more === true))
  const [v, r, s] = sign(key, hash)
  return [v - 27n, r, s, nonce, to]
}

function attachDelegation(run: CheatExecution, delegation: Delegation, isForAllChains = false): void {
  const [v, r, s, nonce, to] = delegation
  if (v > 1n) refuseWith(`invalid parity: ${v}`)
  const hash = authorizationHash(run, to, nonce, isForAllChains)
  const point =
    recoverPublicKey(hash, BigInt(r), BigInt(s), Number(v)) ??
    refuseWith('the signature of the delegation is not valid')
  const authority = addressOfPublicKey(point)
  const expected = nextNonce(run, authority)
  if (nonce !== expected) refuseWith(`invalid nonce for ${authority}: expected ${expected}, got ${nonce}`)
  const isNone = BigInt(to) === 0n
  const code = isNone ? EMPTY_CODE : makeCode(concatBytes(DESIGNATOR, hexToBytes(to)))
  run.writer.current = updateAccount(run.writer.current, authority, { code })
  run.covering.callees.forgetChecks()
  run.evm.access.warmUp(authority)
  run.attached.delegations.push(authority)
}

export const SCRIPT_CHEATCODES: Cheatcodes = {
  'broadcast(address|uint256?)': (run, signer?: Address | bigint) => broadcast(run, signer, false),
  'startBroadcast(address|uint256?)': (run, signer?: Address | bigint) => broadcast(run, signer, true),
  'stopBroadcast()': (run) => {
    const { pranks } = run.cheats
    const { depth } = run.message
    if (prankAt(pranks, depth)?.isBroadcast !== true) refuseWith('no broadcast in progress to stop')
    run.change({ pranks: withoutPrank(pranks, depth) })
  },
  [`signDelegation(address,uint256,uint64|bool?) returns (${DELEGATION})`]: signDelegation,
  [`signAndAttachDelegation(address,uint256,uint64|bool?) returns (${DELEGATION})`]: (
    run,
    ...given: Signing
  ) => {
    const delegation = signDelegation(run, ...given)
    attachDelegation(run, delegation, given[2] === true)
    return delegation
  },
  [`attachDelegation(${DELEGATION},bool?)`]: attachDelegation,
  'attachBlob(bytes)': (run) => {
    run.attached.hasBlob = true
  },
}

type Transaction = transactions.Transaction

const LARGEST_TYPE = 4
const LIST = 0xc0

/** The words of forge's decoder for bytes that are no transaction. */
function malformation([first, second]: Uint8Array, { message }: TickchainError): string {
  if (first === undefined) return 'input too short'
  if (first >= LIST) return /elements|typed/.test(message) ? 'Unexpected type flag' : 'input too short'
  if (first > LARGEST_TYPE) return 'unexpected tx type'
  return second !== undefined && second < LIST ? 'unexpected string' : 'input too short'
}

function decode(raw: Uint8Array): Transaction {
  try {
    return decodeTransaction(raw)
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
    refuseWith(`failed to decode RLP-encoded transaction: ${malformation(raw, error)}`)
  }
}

/** Why a transaction does not begin, in revm's words; one that is free pays no gas, and has to have the right nonce. */
function invalidity(run: CheatExecution, transaction: Transaction, isFree: boolean): string | undefined {
  const { environment, writer, covered } = run
  const { rules } = covered.instance
  const { chainId, sender, nonce, gasLimit, maxFeePerGas, value } = transaction
  if (chainId !== undefined && chainId !== run.chainId) return 'invalid chain ID'
  if (!isFree && maxFeePerGas < environment.baseFeePerGas) return 'gas price is less than basefee'
  if (gasLimit > environment.gasLimit) return 'caller gas limit exceeds the block gas limit'
  const intrinsic = intrinsicGas(rules, transaction)
  if (intrinsic > gasLimit) return `call gas cost (${intrinsic}) exceeds the gas limit (${gasLimit})`
  const floor = floorGas(rules, transaction.input)
  if (floor > gasLimit) return `gas floor (${floor}) exceeds the gas limit (${gasLimit})`
  const account = readAccount(writer.current, sender)
  if (isFree && nonce !== account.nonce)
    return `nonce ${nonce} too ${nonce > account.nonce ? 'high' : 'low'}, expected ${account.nonce}`
  const most = isFree ? value : transactions.maximumCost(transaction)
  return most > account.balance ? `lack of funds (${account.balance}) for max fee (${most})` : undefined
}

/** As in forge, a frame that fails undoes what a transaction has stored, but not balances and nonces of its parties. */
function execute(run: CheatExecution, transaction: Transaction, price: bigint): Later<EvmResult> {
  return runAsTransaction(run, transaction, price, (parties) => {
    for (const address of parties) {
      const { nonce, balance } = readAccount(run.writer.current, address)
      run.lasting.make(address, { nonce, balance })
    }
  })
}

function broadcastRaw(run: CheatExecution, raw: Hex): Later<void> {
  const transaction = decode(hexToBytes(raw))
  const reason = invalidity(run, transaction, false)
  if (reason !== undefined) refuseWith(`transaction validation error: ${reason}`)
  const price = transactions.effectiveGasPrice(transaction, run.environment.baseFeePerGas)
  return andThen(execute(run, transaction, price), () => {
    const { sender: from, to, value, input } = transaction
    if (prankAt(run.cheats.pranks, run.message.depth)?.isBroadcast !== true) return
    run.change({ broadcasts: [...run.cheats.broadcasts, { from, to, value, data: bytesToHex(input) }] })
  })
}

/** Executes a transaction of the active fork's node, in its block, on the present state. */
async function transact(run: CheatExecution, id: bigint | undefined, hash: Hash): Promise<void> {
  const { forks, activeFork } = run.cheats
  const fork = forks[Number(activeFork ?? -1)] ?? refuseWith('No fork active')
  if (id !== undefined && forks[Number(id)] === undefined)
    refuseWith(`Requested fork \`${id}\` does not exist`)
  if ((id ?? activeFork) !== activeFork) refuseWith('the fork of the transaction has to be active')
  const found = objectOf(await fork.ask('eth_getTransactionByHash', [hash]))['blockNumber']
  if (typeof found !== 'string')
    refuseWith(`failed to get transaction ${hash}: could not get transaction ${hash}`)
  const [block, raw] = await Promise.all([
    fork.ask('eth_getBlockByNumber', [found, false]),
    fork.ask('eth_getRawTransactionByHash', [hash]),
  ])
  const header = block as Readonly<Record<string, Hex>>
  const numberIn = (name: string): bigint => BigInt(header[name] ?? 0)
  const transaction = decode(hexToBytes(raw as Hex))
  const { environment } = run
  const own = {
    number: Number(numberIn('number')),
    timestamp: Number(numberIn('timestamp')),
    gasLimit: numberIn('gasLimit'),
    baseFeePerGas: numberIn('baseFeePerGas'),
    coinbase: header['miner'] as Address,
    prevRandao: header['mixHash'] as Hash,
  }
  run.moveTo(environmentWith(environment, own))
  const reason = invalidity(run, transaction, false)
  if (reason === undefined)
    await execute(run, transaction, transactions.effectiveGasPrice(transaction, own.baseFeePerGas))
  run.moveTo(environment)
  if (reason !== undefined) refuseWith(`transaction validation error: ${reason}`)
}

/** Like an isolated call: without a price, in a block without a base fee, and unseen by what a test expects and mocks. */
function executeFree(run: CheatExecution, raw: Hex): Later<Hex> {
  const transaction = decode(hexToBytes(raw))
  const reason = invalidity(run, transaction, true)
  const failed = 'transaction execution failed: transaction validation error'
  if (reason !== undefined) refuseWith(`${failed}: ${reason}`)
  const { environment } = run
  run.moveTo({ ...environment, baseFeePerGas: 0n })
  run.isInternal = true
  return andThen(execute(run, transaction, 0n), ({ execResult }) => {
    run.isInternal = false
    run.moveTo(environment)
    const { outcome, failure } = messageOutcome(execResult)
    const output = bytesToHex(execResult.returnValue)
    if (outcome === 'success') return output
    refuseWith(
      outcome === 'revert' ? `transaction reverted: ${output}` : `transaction halted: ${haltName(failure)}`,
    )
  })
}

export const TRANSACTION_CHEATCODES: Cheatcodes = {
  'broadcastRawTransaction(bytes)': broadcastRaw,
  'transact(uint256?,bytes32)': transact,
  'executeTransaction(bytes) returns (bytes)': executeFree,
}
