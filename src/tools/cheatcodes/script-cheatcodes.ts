// Cheatcodes of scripts: calls that are noted instead of sent, and delegations (EIP-7702) and blobs that go with them.

import { addressOfPublicKey, keccak256, recoverPublicKey } from '../../core/primitives/crypto.ts'
import { type Address, bytesToHex, concatBytes, type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { encodeItems } from '../../core/primitives/rlp.ts'
import { EMPTY_CODE, makeCode, readAccount, updateAccount } from '../../core/state/world-state.ts'
import { beginPrank } from './call-cheatcodes.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { CheatcodeRefusal } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { keyAddress, sign } from './keys.ts'
import { prankAt, withoutPrank } from './pranks.ts'
import { remember } from './signing-cheatcodes.ts'

function broadcast(run: CheatExecution, signer: Address | bigint | undefined, isLasting: boolean): void {
  const before = prankAt(run.cheats.pranks, run.message.depth)
  if (before !== undefined) {
    const other = 'you have an active prank; broadcasting and pranks are not compatible'
    throw new CheatcodeRefusal(before.isBroadcast ? 'a broadcast is active already' : other)
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
  if (key === 0n) throw new CheatcodeRefusal('signature error')
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
  if (v > 1n) throw new CheatcodeRefusal(`invalid parity: ${v}`)
  const hash = authorizationHash(run, to, nonce, isForAllChains)
  const point = recoverPublicKey(hash, BigInt(r), BigInt(s), Number(v))
  if (point === undefined) throw new CheatcodeRefusal('the signature of the delegation is not valid')
  const authority = addressOfPublicKey(point)
  const expected = nextNonce(run, authority)
  if (nonce !== expected) {
    throw new CheatcodeRefusal(`invalid nonce for ${authority}: expected ${expected}, got ${nonce}`)
  }
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
    if (prankAt(pranks, depth)?.isBroadcast !== true) {
      throw new CheatcodeRefusal('no broadcast in progress to stop')
    }
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
