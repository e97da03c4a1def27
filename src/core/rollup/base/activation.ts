// ActivationRegistry: which features of the native contracts are on.

import type { AbiValue } from '../../primitives/abi.ts'
import { type Address, type Hash, ZERO_ADDRESS } from '../../primitives/hex.ts'
import { emit, parseNativeAbi, raise } from './abi.ts'
import { ACTIVATION_TEXT } from './abi-text.ts'
import { ACTIVATION_REGISTRY } from './features.ts'
import type { NativePort } from './port.ts'
import { after, mapped } from './slots.ts'

export const activationAbi = parseNativeAbi(ACTIVATION_TEXT)

const ROOT: Hash = '0x43ee1bbe25e988521cccd8b2c8fbd38c8287ebff8e074e825a70dfd3885cce00'
/** From version 2 on. */
const ADMIN = after(ROOT, 1)

function featureSlot(id: Hash): Hash {
  return mapped(id, ROOT)
}

/** Admins of networks, and of the development network. */
const ADMINS: Readonly<Record<number, Address>> = {
  8453: '0xce3a3bee7e72e2a24079f3c0cb3b97740ed425a9',
  84532: '0x5f43072722f59964d886cbb507f6a85ca0759d42',
  763360: '0xf5969a85a555671eed766c4ff0c61426aa626b11',
}
const DEVELOPMENT_ADMIN: Address = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'

/** The admin of a chain that has set none. */
export function activationAdmin(chainId: number): Address {
  return ADMINS[chainId] ?? DEVELOPMENT_ADMIN
}

const fail = (name: string, ...values: readonly AbiValue[]) => raise(activationAbi, name, ...values)

function isActivated(port: NativePort, id: Hash): boolean {
  return port.load(ACTIVATION_REGISTRY, featureSlot(id)) !== 0n
}

export function checkActivated(port: NativePort, id: Hash): void {
  if (!isActivated(port, id)) throw fail('FeatureNotActivated', id)
}

function adminOf(port: NativePort): Address {
  const stored = port.version > 1 ? port.load(ACTIVATION_REGISTRY, ADMIN) : 0n
  return stored === 0n ? port.activationAdmin : `0x${stored.toString(16).padStart(40, '0')}`
}

function requireAdmin(port: NativePort): void {
  const { caller } = port
  if (adminOf(port) !== caller) throw fail('Unauthorized', caller)
}

function change(port: NativePort, id: Hash, isOn: boolean): void {
  if (port.isStatic) throw fail('StaticCallNotAllowed')
  requireAdmin(port)
  if (isActivated(port, id) === isOn) throw fail(isOn ? 'AlreadyActivated' : 'FeatureNotActivated', id)
  if (isOn) port.mark(ACTIVATION_REGISTRY)
  port.store(ACTIVATION_REGISTRY, featureSlot(id), isOn ? 1n : 0n)
  const name = isOn ? 'FeatureActivated' : 'FeatureDeactivated'
  emit(port, activationAbi, ACTIVATION_REGISTRY, name, id, port.caller)
}

export const ACTIVATION_FUNCTIONS = {
  isActivated,
  checkActivated,
  activate: (port: NativePort, id: Hash): void => change(port, id, true),
  deactivate: (port: NativePort, id: Hash): void => change(port, id, false),
  admin: adminOf,
  setAdmin(port: NativePort, admin: Address): void {
    if (port.isStatic) throw fail('StaticCallNotAllowed')
    if (admin === ZERO_ADDRESS) throw fail('ZeroAdminAddress')
    requireAdmin(port)
    port.mark(ACTIVATION_REGISTRY)
    port.store(ACTIVATION_REGISTRY, ADMIN, BigInt(admin))
    emit(port, activationAbi, ACTIVATION_REGISTRY, 'AdminChanged', port.caller, admin, port.caller)
  },
}
