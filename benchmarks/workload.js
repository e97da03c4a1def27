// @ts-check
// Workload of the benchmarks: chains of a given size, and transfers signed before the timing.

import { createEmulator } from 'tickchain'
import { DEFAULT_DERIVATION, privateKeysOf } from '../dist/core/emulator/options/accounts.js'
import { signTransaction } from '../dist/core/pool/payload.js'
import { addressOfPublicKey, keccak256Hex, loadCrypto } from '../dist/core/primitives/crypto.js'
import { bytesToHex, concatBytes, hexToBytes, padLeft, toWord } from '../dist/core/primitives/hex.js'
import { publicKeyOf } from '../dist/core/primitives/signer.js'
import { Token } from './token.js'

/** @typedef {`0x${string}`} Hex */
/** @typedef {'ether' | 'token'} Asset */

await loadCrypto()

export const CHAIN_ID = 31_337
export const TOKEN = /** @type {Hex} */ (`0x${'70'.repeat(20)}`)

const keys = (await privateKeysOf({ ...DEFAULT_DERIVATION, count: 10 })).map(hexToBytes)
const senders = keys.map((key) => addressOfPublicKey(/** @type {Uint8Array} */ (publicKeyOf(key))))

/** The n-th account of a chain: the senders come first. @param {number} index */
export function accountAt(index) {
  return senders[index] ?? /** @type {Hex} */ (`0x${keccak256Hex(hexToBytes(toWord(index))).slice(26)}`)
}

/** The storage slot of a token balance: keccak-256 of the account and the slot of the mapping, zero. @param {Hex} account */
function balanceSlot(account) {
  return keccak256Hex(concatBytes(padLeft(hexToBytes(account), 32), new Uint8Array(32)))
}

/**
 * A genesis allocation of ether and tokens for `count` accounts.
 * @param {number} count
 */
export function makeAllocation(count) {
  /** @type {Record<string, import('tickchain').GenesisAccount>} */
  const alloc = {}
  /** @type {Record<string, Hex>} */
  const storage = {}
  for (let index = 0; index < count; index++) {
    const account = accountAt(index)
    alloc[account] = { balance: 10n ** 24n }
    storage[balanceSlot(account)] = toWord(10n ** 24n)
  }
  alloc[TOKEN] = { code: Token.deployedBytecode, storage }
  return alloc
}

/** A chain with `accounts` accounts in its state. @param {number} accounts @param {import('tickchain').EmulatorOptions} [options] */
export function createChain(accounts, options = {}) {
  return createEmulator({ genesis: { alloc: makeAllocation(accounts) }, ...options })
}

/**
 * Signs transfers in sending order. Ten senders take turns, and the recipients are spread over all accounts.
 * @param {{ asset: Asset, accounts: number }} choice
 */
export function createTransferSource({ asset, accounts }) {
  const nonces = senders.map(() => 0n)
  let made = 0
  const next = () => {
    const sender = made % senders.length
    // Steps by a prime visit every account.
    const recipient = accountAt((made * 7_919 + 1) % accounts)
    made++
    const nonce = /** @type {bigint} */ (nonces[sender])
    nonces[sender] = nonce + 1n
    const shape =
      asset === 'ether'
        ? { to: recipient, value: 1n, input: new Uint8Array(0), gasLimit: 21_000n }
        : { to: TOKEN, value: 0n, input: transferCall(recipient), gasLimit: 60_000n }
    const fields = {
      ...shape,
      type: /** @type {const} */ (2),
      chainId: BigInt(CHAIN_ID),
      nonce,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 9n,
      accessList: [],
      authorizationList: [],
      maxFeePerBlobGas: 0n,
      blobVersionedHashes: [],
    }
    return bytesToHex(
      signTransaction(fields, /** @type {Hex} */ (senders[sender]), /** @type {Uint8Array} */ (keys[sender]))
        .raw,
    )
  }
  return {
    /** @param {number} count */
    take: (count) => Array.from({ length: count }, next),
  }
}

/** transfer(address,uint256) of one unit. @param {Hex} to */
function transferCall(to) {
  return hexToBytes(`0xa9059cbb${to.slice(2).padStart(64, '0')}${toWord(1n).slice(2)}`)
}

/** balanceOf(address). @param {Hex} account */
export function balanceOfCall(account) {
  return /** @type {Hex} */ (`0x70a08231${account.slice(2).padStart(64, '0')}`)
}
