// @ts-check
// Signed transactions of the first account of the well-known mnemonic.

import { DEFAULT_DERIVATION, privateKeysOf } from '../../dist/core/emulator/options/accounts.js'
import { signTransaction } from '../../dist/core/pool/payload.js'
import { addressOfPublicKey, loadCrypto } from '../../dist/core/primitives/crypto.js'
import { bytesToHex, hexToBytes } from '../../dist/core/primitives/hex.js'
import { publicKeyOf } from '../../dist/core/primitives/signer.js'
import { MNEMONIC } from './subjects.js'

/** @typedef {`0x${string}`} Hex */
/** @typedef {{ to?: Hex | undefined, value?: bigint, data?: Hex, gas: bigint }} Sending */

const GWEI = 10n ** 9n

/** A word of the ABI. @param {number | bigint | string} value */
export function word(value) {
  return BigInt(value).toString(16).padStart(64, '0')
}

/** Recipients, one after another. @param {number} index */
export function recipient(index) {
  return /** @type {Hex} */ (`0x${(0xc0ffee_0000n + BigInt(index % 1000)).toString(16).padStart(40, '0')}`)
}

/** @param {number} index @returns {Sending} */
export function etherTransfer(index) {
  return { to: recipient(index), value: 1n, gas: 21_000n }
}

/** transfer(address,uint256). @param {Hex} token @param {number} index @returns {Sending} */
export function tokenTransfer(token, index) {
  return { to: token, data: `0xa9059cbb${word(recipient(index))}${word(1)}`, gas: 80_000n }
}

/**
 * Signs in the order of sending.
 * @param {import('./subjects.js').Request} request
 */
export async function createSigner(request) {
  await loadCrypto()
  const [privateKey = '0x'] = await privateKeysOf({ ...DEFAULT_DERIVATION, mnemonic: MNEMONIC, count: 1 })
  const key = hexToBytes(privateKey)
  const sender = addressOfPublicKey(/** @type {Uint8Array} */ (publicKeyOf(key)))
  const chainId = BigInt(await request('eth_chainId'))
  /** @param {readonly Sending[]} list */
  const sign = async (list) => {
    const nonce = BigInt(await request('eth_getTransactionCount', [sender, 'latest']))
    return list.map(({ to, value = 0n, data = '0x', gas }, index) => {
      const fields = {
        type: /** @type {const} */ (2),
        chainId,
        nonce: nonce + BigInt(index),
        to,
        value,
        input: hexToBytes(data),
        gasLimit: gas,
        maxFeePerGas: 100n * GWEI,
        maxPriorityFeePerGas: GWEI,
        accessList: [],
        authorizationList: [],
        maxFeePerBlobGas: 0n,
        blobVersionedHashes: [],
      }
      return bytesToHex(signTransaction(fields, sender, key).raw)
    })
  }
  return { sender, sign }
}
