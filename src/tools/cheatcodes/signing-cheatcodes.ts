// Cheatcodes of keys: wallets, mnemonics, and signatures on several curves.

import { addressOfPublicKey, keccakOfText, toChecksumAddress } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { load } from '../../core/primitives/loading.ts'
import { CURVE_ORDER, HALF_CURVE_ORDER, MAX_UINT64 } from '../../core/primitives/numbers.ts'
import { publicKeyOf, signDigest } from '../../core/primitives/signer.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'

export function requireUint64(value: bigint, name: string): bigint {
  if (value > MAX_UINT64) refuseWith(`${name} must be less than 2^64`)
  return value
}

function requireKey(key: bigint, curve: string, order: bigint): void {
  if (key === 0n) refuseWith('private key cannot be 0')
  if (key < order) return
  refuseWith(`private key must be less than the ${curve} curve order (${order})`)
}

function publicKey(key: bigint): Uint8Array {
  requireKey(key, 'Secp256k1', CURVE_ORDER)
  return publicKeyOf(hex.hexToBytes(hex.toWord(key))) as Uint8Array
}

export function keyAddress(key: bigint): hex.Address {
  return addressOfPublicKey(publicKey(key))
}

/** The key that `makeAddr` and `createWallet` make of a name. */
export function keyOfName(name: string): bigint {
  return BigInt(keccakOfText(name))
}

export type Wallet = readonly [
  address: hex.Address,
  publicKeyX: bigint,
  publicKeyY: bigint,
  privateKey: bigint,
]

export function walletOf(key: bigint): Wallet {
  const point = publicKey(key)
  const coordinates = point.subarray(point.length - 64)
  const [x, y] = [coordinates.subarray(0, 32), coordinates.subarray(32)].map(hex.bytesToBigInt)
  return [addressOfPublicKey(point), x as bigint, y as bigint, key]
}

const EVEN_V = 27n

/** `(uint8 v, bytes32 r, bytes32 s)`. */
export function sign(key: bigint, digest: hex.Hex): readonly [bigint, hex.Hex, hex.Hex] {
  publicKey(key)
  const { r, s, yParity } = signDigest(hex.hexToBytes(digest), hex.hexToBytes(hex.toWord(key)))
  return [EVEN_V + BigInt(yParity), hex.bytesToHex(r), hex.bytesToHex(s)]
}

function inverse(value: bigint): bigint {
  let [power, result] = [value, 1n]
  for (let exponent = CURVE_ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * power) % CURVE_ORDER
    power = (power * power) % CURVE_ORDER
  }
  return result
}

/** A signature with a secret number of the caller's own, which gives the key away if it is used twice. */
function signWithNonce(_: CheatExecution, key: bigint, digest: hex.Hex, nonce: bigint) {
  publicKey(key)
  if (nonce === 0n) refuseWith('nonce cannot be 0')
  if (nonce >= CURVE_ORDER) refuseWith('invalid nonce scalar')
  const [, x, y] = walletOf(nonce)
  const r = x % CURVE_ORDER
  const s = ((BigInt(digest) + r * key) * inverse(nonce)) % CURVE_ORDER
  const isHigh = s > HALF_CURVE_ORDER
  const parity = (y & 1n) ^ (isHigh ? 1n : 0n)
  return [EVEN_V + parity, hex.toWord(r), hex.toWord(isHigh ? CURVE_ORDER - s : s)]
}

/** `(bytes32 r, bytes32 vs)` (EIP-2098). */
export function signCompact(key: bigint, digest: hex.Hex): readonly [hex.Hex, hex.Hex] {
  const [v, r, s] = sign(key, digest)
  return [r, hex.toWord(BigInt(s) | ((v - EVEN_V) << 255n))]
}

const PATH = "m/44'/60'/0'/0/"
const ENGLISH = 'english'
const NOT_A_MNEMONIC = 'not a BIP-39 mnemonic'
/** More keys at once are a mistake. */
const MOST_KEYS = 10_000n

const HARDENED = 2 ** 31

/** A step of a path as BIP-32 writes it; forge takes numbers of 32 bits, of which the upper half is hardened as well. */
function placeOf(step: string): string | undefined {
  const [, digits, mark] = /^\+?0*(\d{1,10})(['h]?)$/.exec(step) ?? []
  const number = Number(digits)
  if (!(number < 2 * HARDENED)) return undefined
  return number < HARDENED === (mark === '') ? `${number % HARDENED}` : `${number % HARDENED}'`
}

async function wordsOf(language: string): Promise<string[]> {
  const { WORD_LISTS } = await load(import('./word-lists.ts'))
  if (Object.hasOwn(WORD_LISTS, language)) return WORD_LISTS[language] as string[]
  refuseWith(`unsupported mnemonic language: ${JSON.stringify(language)}`)
}

async function derive(mnemonic: string, path: string, first: bigint, count: bigint, language = ENGLISH) {
  const words = language === ENGLISH ? undefined : await wordsOf(language)
  if (count > MOST_KEYS) refuseWith(`at most ${MOST_KEYS} keys are derived at once`)
  const { deriveKeys, unknownWord } = await load(import('../../core/emulator/options/mnemonic.ts'))
  const whole = path.endsWith('/') ? path : `${path}/`
  const steps = whole
    .slice(0, -1)
    .split('/')
    .filter((step) => step !== 'm')
  const places = steps.map(placeOf)
  if (places.includes(undefined)) refuseWith(`Malformatted index during derivation: ${whole}${first}`)
  const given = { mnemonic, passphrase: '', path: ['m', ...places].join('/') }
  try {
    return deriveKeys({ ...given, initialIndex: Number(first), count: Number(count) }, words).map(BigInt)
  } catch (error) {
    refuseWith(mnemonicFault(mnemonic, unknownWord(mnemonic, words), error as Error))
  }
}

function mnemonicFault(mnemonic: string, unknown: string | undefined, { message }: Error): string {
  if (unknown !== undefined) return `the word \`${unknown}\` is invalid`
  return message === NOT_A_MNEMONIC ? `the phrase \`${mnemonic}\` is invalid` : message
}

export function remember(run: CheatExecution, key: bigint): hex.Address {
  const address = keyAddress(key)
  run.change({ keys: new Map(run.cheats.keys).set(address, key) })
  return address
}

/** The key of an account that is remembered; of the only one, if none is named. */
function keyOf({ cheats }: CheatExecution, account?: hex.Address): bigint {
  const { keys } = cheats
  if (keys.size === 0) refuseWith('no wallets available')
  const [only, ...more] = keys.values()
  if (account === undefined && more.length > 0) {
    const hint = 'there are multiple signers available use vm.sign(signer, digest) to specify one'
    refuseWith(`could not determine signer, ${hint}`)
  }
  const key = account === undefined ? only : keys.get(account)
  return (
    key ?? refuseWith(`signer with address ${toChecksumAddress(account as hex.Address)} is not available`)
  )
}

type OneKey = [mnemonic: string, path: string | undefined, index: bigint, language?: string]
type ManyKeys = [mnemonic: string, path: string, language: string | undefined, count: bigint]
type Signed = [account: hex.Address | undefined, digest: hex.Hex]

const WALLETS: Cheatcodes = {
  'deriveKey(string,string?,uint32,string?) returns (uint256)': async (_, ...given: OneKey) => {
    const [mnemonic, path = PATH, index, language] = given
    const [key] = await derive(mnemonic, path, index, 1n, language)
    return key
  },
  'rememberKey(uint256) returns (address)': remember,
  'rememberKeys(string,string,string?,uint32) returns (address[])': async (run, ...given: ManyKeys) => {
    const [mnemonic, path, language, count] = given
    const keys = await derive(mnemonic, path, 0n, count, language)
    return keys.map((key) => remember(run, key))
  },
  'getWallets() returns (address[])': ({ cheats }) => [...cheats.keys.keys()],
  'sign(address?,bytes32) returns (uint8,bytes32,bytes32)': (run, ...[account, digest]: Signed) =>
    sign(keyOf(run, account), digest),
  'signCompact(address?,bytes32) returns (bytes32,bytes32)': (run, ...[account, digest]: Signed) =>
    signCompact(keyOf(run, account), digest),
  'signWithNonceUnsafe(uint256,bytes32,uint256) returns (uint8,bytes32,bytes32)': signWithNonce,
}

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

async function p256Key(key: bigint) {
  requireKey(key, 'NistP256', P256_ORDER)
  const { p256 } = await load(import('@noble/curves/nist.js'))
  return { p256, secret: hex.hexToBytes(hex.toWord(key)) }
}

async function ed25519() {
  const module = await load(import('@noble/curves/ed25519.js'))
  return module.ed25519
}

function inNamespace(namespace: hex.Hex, message: hex.Hex): Uint8Array {
  return hex.concatBytes(hex.hexToBytes(namespace), hex.hexToBytes(message))
}

const OTHER_CURVES: Cheatcodes = {
  'signP256(uint256,bytes32) returns (bytes32,bytes32)': async (_, key: bigint, digest: hex.Hex) => {
    const { p256, secret } = await p256Key(key)
    const bytes = p256.sign(hex.hexToBytes(digest), secret, { prehash: false, lowS: true })
    return [hex.bytesToHex(bytes.subarray(0, 32)), hex.bytesToHex(bytes.subarray(32, 64))]
  },
  'publicKeyP256(uint256) returns (uint256,uint256)': async (_, key: bigint) => {
    const { p256, secret } = await p256Key(key)
    const point = p256.getPublicKey(secret, false)
    return [hex.bytesToBigInt(point.subarray(1, 33)), hex.bytesToBigInt(point.subarray(33))]
  },
  'createEd25519Key(bytes32) returns (bytes32,bytes32)': async (_, salt: hex.Hex) => {
    const curve = await ed25519()
    return [hex.bytesToHex(curve.getPublicKey(hex.hexToBytes(salt))), salt]
  },
  'publicKeyEd25519(bytes32) returns (bytes32)': async (_, key: hex.Hex) => {
    const curve = await ed25519()
    return hex.bytesToHex(curve.getPublicKey(hex.hexToBytes(key)))
  },
  'signEd25519(bytes,bytes,bytes32) returns (bytes)': async (_, ...args: [hex.Hex, hex.Hex, hex.Hex]) => {
    const [namespace, message, key] = args
    const curve = await ed25519()
    return hex.bytesToHex(curve.sign(inNamespace(namespace, message), hex.hexToBytes(key)))
  },
  'verifyEd25519(bytes,bytes,bytes,bytes32) returns (bool)': async (_, ...args: hex.Hex[]) => {
    const [signature, namespace, message, key] = args as [hex.Hex, hex.Hex, hex.Hex, hex.Hex]
    const curve = await ed25519()
    const bytes = hex.hexToBytes(signature)
    return bytes.length === 64 && curve.verify(bytes, inNamespace(namespace, message), hex.hexToBytes(key))
  },
}

export const SIGNING_CHEATCODES: Cheatcodes = { ...WALLETS, ...OTHER_CURVES }
