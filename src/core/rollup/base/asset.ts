// B20 assets: scaled balances, announcements, batches and further metadata; and what stablecoins have instead.

import type { Address, Hash, Hex } from '../../primitives/hex.ts'
import { overflow } from './abi.ts'
import { NativeFailure } from './port.ts'
import { ROLES } from './roles.ts'
import { after, deleteText, loadText, mappedText, part, storeText, withPart } from './slots.ts'
import * as tokens from './token.ts'
import { mintTo } from './token-moves.ts'

const ROOT: Hash = '0xfdc6d4552d1286ade4d9facdbf0fb50d2ec9b89a90e104f26fd277585e374b00'
export const DECIMALS = ROOT
export const MULTIPLIER = after(ROOT, 1)
const ANNOUNCED = after(ROOT, 2)
const METADATA = after(ROOT, 3)
/** From version 2 on: a multiplier of 128 bits, and from bit 128 on the time from which it holds. */
const PENDING = after(ROOT, 4)
export const CURRENCY: Hash = '0x35827975a06ca0e9367ea3129b19441d45d0ca58e30b7693f09e73d0943d6200'

const WAD = 10n ** 18n
const MAX_TIME = 2n ** 64n - 1n
const MAX_MULTIPLIER = tokens.MAX_SUPPLY
export const FEWEST_DECIMALS = 6n

const { OPERATOR_ROLE, METADATA_ROLE } = ROLES

function storedMultiplier(call: tokens.TokenCall): bigint {
  const stored = tokens.loadField(call, MULTIPLIER)
  return stored === 0n ? WAD : stored
}

function pendingMultiplier(call: tokens.TokenCall): bigint {
  return part(tokens.loadField(call, PENDING), 0, 128)
}

function pendingTime(call: tokens.TokenCall): bigint {
  return part(tokens.loadField(call, PENDING), 128, 64)
}

function setPending(call: tokens.TokenCall, multiplier: bigint, time: bigint): void {
  const word = withPart(tokens.loadField(call, PENDING), 0, 128, multiplier)
  tokens.storeField(call, PENDING, withPart(word, 128, 64, time))
}

/** The multiplier that holds now; one that was scheduled holds from its time on, whether it was written or not. */
function multiplier(call: tokens.TokenCall): bigint {
  const { port } = call
  if (port.version === 1) return storedMultiplier(call)
  const time = pendingTime(call)
  return time !== 0n && time <= port.timestamp ? pendingMultiplier(call) : storedMultiplier(call)
}

function scale(value: bigint, by: bigint, divisor: bigint): bigint {
  if (value * by > tokens.MAX_WORD) throw overflow()
  return (value * by) / divisor
}

function toScaled(call: tokens.TokenCall, balance: bigint): bigint {
  return scale(balance, multiplier(call), WAD)
}

function toRaw(call: tokens.TokenCall, balance: bigint): bigint {
  return scale(balance, WAD, multiplier(call))
}

function scaledBalanceOf(call: tokens.TokenCall, account: Address): bigint {
  return toScaled(call, tokens.loadField(call, tokens.balanceSlot(account)))
}

function checkMultiplier({ port }: tokens.TokenCall, next: bigint): void {
  if (next === 0n || (port.version > 1 && next > MAX_MULTIPLIER)) throw tokens.fail('InvalidMultiplier')
}

function updateMultiplier(call: tokens.TokenCall, next: bigint): void {
  const { port } = call
  tokens.requireRole(call, OPERATOR_ROLE)
  checkMultiplier(call, next)
  if (port.version === 1) {
    tokens.storeField(call, MULTIPLIER, next)
    tokens.tell(call, 'MultiplierUpdated', next)
    return
  }
  const pending = pendingMultiplier(call)
  const time = pendingTime(call)
  const old = multiplier(call)
  tokens.storeField(call, MULTIPLIER, next)
  if (time !== 0n) setPending(call, 0n, 0n)
  if (time > port.timestamp) tokens.tell(call, 'UIMultiplierUpdateCancelled', pending, time)
  tokens.tell(call, 'MultiplierUpdated', next)
  tokens.tell(call, 'UIMultiplierUpdated', old, next, port.timestamp)
}

function updateUIMultiplier(call: tokens.TokenCall, next: bigint, time: bigint): void {
  const { timestamp } = call.port
  tokens.requireRole(call, OPERATOR_ROLE)
  checkMultiplier(call, next)
  if (time <= timestamp) throw tokens.fail('EffectiveAtInPast', time)
  if (time > MAX_TIME) throw tokens.fail('EffectiveAtTooFar', time)
  const before = pendingTime(call)
  if (before > timestamp) throw tokens.fail('UIMultiplierUpdateExists', before)
  if (before !== 0n) tokens.storeField(call, MULTIPLIER, pendingMultiplier(call))
  const old = storedMultiplier(call)
  setPending(call, next, time)
  tokens.tell(call, 'UIMultiplierUpdated', old, next, time)
}

function cancelUIMultiplierUpdate(call: tokens.TokenCall): void {
  tokens.requireRole(call, OPERATOR_ROLE)
  const pending = pendingMultiplier(call)
  const time = pendingTime(call)
  if (time <= call.port.timestamp) throw tokens.fail('UIMultiplierUpdateDoesNotExist')
  setPending(call, 0n, 0n)
  tokens.tell(call, 'UIMultiplierUpdateCancelled', pending, time)
}

function newUIMultiplier(call: tokens.TokenCall): bigint {
  return pendingTime(call) > call.port.timestamp ? pendingMultiplier(call) : multiplier(call)
}

/** `supportsInterface` itself, and the interfaces of ERC-8056: the multiplier, its update, balances and conversions. */
const INTERFACES: readonly Hex[] = ['0x01ffc9a7', '0xa60bf13d', '0x4bd27648', '0xd890fd71', '0x57854fc3']

function batchMint(call: tokens.TokenCall, recipients: readonly Address[], amounts: readonly bigint[]): void {
  tokens.requireMinting(call)
  const [left, right] = [recipients.length, amounts.length]
  if (left !== right) throw tokens.fail('LengthMismatch', BigInt(left), BigInt(right))
  if (left === 0) throw tokens.fail('EmptyBatch')
  for (const [index, recipient] of recipients.entries()) {
    // Each asks once more whether minting is paused.
    tokens.requireMinting({ ...call, isPrivileged: true })
    mintTo(call, recipient, amounts[index] as bigint)
  }
}

/** Runs a call of the same token, for `announce`. */
type RunInner = (call: tokens.TokenCall, input: Hex) => void

const ANNOUNCE: Hex = '0x595135dd'

function announceWith(run: RunInner) {
  return (
    call: tokens.TokenCall,
    inner: readonly Hex[],
    id: string,
    description: string,
    uri: string,
  ): void => {
    tokens.requireRole(call, OPERATOR_ROLE)
    const slot = mappedText(id, ANNOUNCED)
    if (tokens.loadField(call, slot) !== 0n) throw tokens.fail('AnnouncementIdAlreadyUsed', id)
    tokens.storeField(call, slot, 1n)
    tokens.tell(call, 'Announcement', call.caller, id, description, uri)
    for (const input of inner) {
      if (input.length < 10) throw tokens.fail('InternalCallMalformed', input)
      if (input.startsWith(ANNOUNCE)) throw tokens.fail('AnnouncementInProgress')
      try {
        run(call, input)
      } catch (error) {
        const isWrapped =
          error instanceof NativeFailure && error.kind !== 'outOfGas' && error.kind !== 'panic'
        throw isWrapped ? tokens.fail('InternalCallFailed', input) : error
      }
    }
    tokens.tell(call, 'EndAnnouncement', id)
  }
}

export function assetFunctions(run: RunInner) {
  return {
    decimals(call: tokens.TokenCall): bigint {
      const stored = part(tokens.loadField(call, DECIMALS), 0, 8)
      return stored === 0n ? FEWEST_DECIMALS : stored
    },
    WAD_PRECISION: (): bigint => WAD,
    multiplier,
    uiMultiplier: multiplier,
    newUIMultiplier,
    effectiveAt: pendingTime,
    MAX_UI_MULTIPLIER: (): bigint => MAX_MULTIPLIER,
    toScaledBalance: toScaled,
    toUIAmount: toScaled,
    toRawBalance: toRaw,
    fromUIAmount: toRaw,
    scaledBalanceOf,
    balanceOfUI: scaledBalanceOf,
    totalSupplyUI(call: tokens.TokenCall): bigint {
      const by = multiplier(call)
      return scale(tokens.loadField(call, tokens.FIELDS.totalSupply), by, WAD)
    },
    supportsInterface: (_: tokens.TokenCall, id: Hex): boolean => INTERFACES.includes(id),
    updateMultiplier,
    updateUIMultiplier,
    cancelUIMultiplierUpdate,
    batchMint,
    isAnnouncementIdUsed: (call: tokens.TokenCall, id: string): boolean =>
      tokens.loadField(call, mappedText(id, ANNOUNCED)) !== 0n,
    announce: announceWith(run),
    extraMetadata: ({ port, token }: tokens.TokenCall, key: string): string =>
      loadText(port, token, mappedText(key, METADATA)),
    updateExtraMetadata(call: tokens.TokenCall, key: string, value: string): void {
      const { port, token } = call
      tokens.requireRole(call, METADATA_ROLE)
      if (key === '') throw tokens.fail('InvalidMetadataKey')
      const slot = mappedText(key, METADATA)
      if (value === '') deleteText(port, token, slot)
      else storeText(port, token, slot, value)
      tokens.tell(call, 'ExtraMetadataUpdated', key, value)
    },
  }
}

export const STABLECOIN_FUNCTIONS = {
  decimals: (): bigint => FEWEST_DECIMALS,
  currency: ({ port, token }: tokens.TokenCall): string => loadText(port, token, CURRENCY),
}
