// EIP-7702 authorization lists, for transactions, calls and estimates.

import { addressOfPublicKey, keccak256, recoverPublicKey } from '../../primitives/crypto.ts'
import { type Address, concatBytes, hexToBytes, ZERO_ADDRESS } from '../../primitives/hex.ts'
import { HALF_CURVE_ORDER, MAX_UINT64 } from '../../primitives/numbers.ts'
import { encodeItems } from '../../primitives/rlp.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { EMPTY_CODE, makeCode, readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import type { Authorization } from '../transaction/transaction.ts'
import { isExternallyOwned } from '../transaction/validity.ts'

const MAGIC = 0x05
/** The prefix of the code of a delegated account; the address of the contract follows. */
const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00)

interface AppliedAuthorizations {
  readonly state: WorldState
  readonly authorities: readonly Address[]
  readonly gasRefund: bigint
}

/** The account that signed an authorization; `undefined` if the signature is invalid. */
export function recoverAuthority(authorization: Authorization): Address | undefined {
  const { chainId, address, nonce, yParity, r, s } = authorization
  if (s > HALF_CURVE_ORDER || yParity > 1n) return undefined
  const digest = keccak256(encodeItems([chainId, address, nonce], MAGIC))
  const key = recoverPublicKey(digest, r, s, Number(yParity))
  return key === undefined ? undefined : addressOfPublicKey(key)
}

/** Applies valid authorizations and skips the others, as EIP-7702 specifies. */
export function applyAuthorizations(
  rules: Rules,
  state: WorldState,
  list: readonly Authorization[],
): AppliedAuthorizations {
  if (list.length === 0 || !isForkActive(rules, 'prague')) return { state, authorities: [], gasRefund: 0n }
  const refundPerAccount = rules.gas.perEmptyAccountCost - rules.gas.perAuthBaseGas
  const authorities: Address[] = []
  let written = state
  let gasRefund = 0n
  for (const authorization of list) {
    const { chainId, nonce } = authorization
    if ((chainId !== 0n && chainId !== BigInt(rules.chainId)) || nonce >= MAX_UINT64) continue
    const authority = recoverAuthority(authorization)
    if (authority === undefined) continue
    authorities.push(authority)
    const account = readAccount(written, authority)
    if (!isExternallyOwned(account) || account.nonce !== nonce) continue
    if (written.has(authority)) gasRefund += refundPerAccount
    const code =
      authorization.address === ZERO_ADDRESS
        ? EMPTY_CODE
        : makeCode(concatBytes(DELEGATION_PREFIX, hexToBytes(authorization.address)))
    written = updateAccount(written, authority, { nonce: nonce + 1n, code })
  }
  return { state: written, authorities, gasRefund }
}
