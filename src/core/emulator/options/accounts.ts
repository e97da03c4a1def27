// Options of accounts: their keys, addresses and balances; ABIs with their custom errors.

import type { CustomError } from '../../execution/result/console-log.ts'
import { parseAbiParameters } from '../../primitives/abi.ts'
import { addressOfPublicKey } from '../../primitives/crypto.ts'
import { type Address, bytesToHex, type Hex, hexToBytes } from '../../primitives/hex.ts'
import { publicKeyOf } from '../../primitives/signer.ts'
import { privateKey as privateKeyBytes } from '../../rpc/codecs/accounts.ts'
import { type Fields, identityCodec, text } from '../../rpc/codecs/basic.ts'
import * as codec from '../../rpc/codecs/codec.ts'
import { decodeFields, objectCodec, or } from '../../rpc/codecs/object.ts'
import { anything } from '../checks.ts'
import type { Derivation } from './mnemonic.ts'

/** The accounts of an emulator whose options say nothing else. */
export const DEFAULT_DERIVATION: Derivation = {
  mnemonic: 'test test test test test test test test test test test junk',
  passphrase: '',
  path: "m/44'/60'/0'/0",
  initialIndex: 0,
  count: 10,
}

/** The first twenty keys of the default mnemonic, m/44'/60'/0'/0/0 to 19, with their addresses; derivation is slow. */
const TABLE = `
ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80 f39fd6e51aad88f6f4ce6ab8827279cfffb92266
59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d 70997970c51812dc3a010c7d01b50e0d17dc79c8
5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a 3c44cdddb6a900fa2b585dd299e03d12fa4293bc
7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6 90f79bf6eb2c4f870365e785982e1f101e93b906
47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a 15d34aaf54267db7d7c367839aaf71a00a2c6a65
8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba 9965507d1a55bcc2695c58ba16fb37d819b0a4dc
92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e 976ea74026e726554db657fa54763abd0c3a0aa9
4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356 14dc79964da2c08b23698b3d3cc7ca32193d9955
dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97 23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f
2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6 a0ee7a142d267c1f36714e4a8f75612f20a79720
f214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897 bcd4042de499d14e55001ccbb24a551f3b954096
701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82 71be63f3384f5fb98995898a86b02fb2426c5788
a267530f49f8280200edf313ee7af6b827f2a8bce2897751d06a843f644967b1 fabb0ac9d68b0b445fb7357272ff202c5651694a
47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd 1cbd3b2770909d4e10f157cabc84c7264073c9ec
c526ee95bf44d8fc405a158bb884d9d1238d99f0612e9f33d006bb0789009aaa df3e18d64bc6a983f673ab319ccae4f1a57c7097
8166f546bab6da521a8369cab06c5d2b9e46670292d85c875ee9ec20e84ffb61 cd3b766ccdd6ae721141f452c550ca635964ce71
ea6c44ac03bff858b476bba40716402b03e41b8e97e276d1baec7c37d42484a0 2546bcd3c84621e976d8185a91a922ae77ecec30
689af8efa8c651a91ad287602527f3af2fe9f6501a7ac4b061667b5a93e037fd bda5747bfd65f08deb54cb465eb87d40e51b197e
de9be858da4a475276426320d5e9262ecfc3ba460bfac56360bfa6c4c28b4ee0 dd2fd4581271e230360230f9337d5c0430bf44c0
df57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e 8626f6940e2eb28930efb4cef49b2d1f2c9c1199
`

const WELL_KNOWN: ReadonlyMap<Hex, Address> = new Map(
  Array.from(TABLE.matchAll(/^(\w+) (\w+)$/gm), ([, key, address]) => [`0x${key}`, `0x${address}`]),
)

/** The account of a private key; `undefined` for an invalid key. */
export async function addressOfKey(privateKey: Hex): Promise<Address | undefined> {
  const wellKnown = WELL_KNOWN.get(privateKey)
  if (wellKnown !== undefined) return wellKnown
  const publicKey = publicKeyOf(hexToBytes(privateKey))
  return publicKey === undefined ? undefined : addressOfPublicKey(publicKey)
}

export async function privateKeysOf(derivation: Derivation): Promise<Hex[]> {
  const { mnemonic, passphrase, path, initialIndex, count } = derivation
  const known = DEFAULT_DERIVATION
  const isDefault = mnemonic === known.mnemonic && passphrase === '' && path === known.path
  const end = initialIndex + count
  if (isDefault && end <= WELL_KNOWN.size) return [...WELL_KNOWN.keys()].slice(initialIndex, end)
  const { deriveKeys } = await import('./mnemonic.ts')
  return deriveKeys(derivation)
}

/** An account by its key, as in Hardhat's configuration. */
export interface AccountOptions {
  /** 32 bytes of hex. */
  readonly privateKey: Hex
  /** Wei. Default 10,000 ether. */
  readonly balance?: codec.Amount
}

/** Accounts of a mnemonic, as in Hardhat's configuration. */
interface MnemonicOptions {
  /** BIP-39. Default 'test test test test test test test test test test test junk'. */
  readonly mnemonic?: string
  /** BIP-39. Default none. */
  readonly passphrase?: string
  /** The derivation path of the parent key (BIP-32). Default m/44'/60'/0'/0. */
  readonly path?: string
  /** The index of the first key below the path. Default 0. */
  readonly initialIndex?: number
  /** Default 10; 20 in the flavor 'hardhat'. */
  readonly count?: number
  /** Wei. Default 10,000 ether. */
  readonly balance?: codec.Amount
}

/** Funded accounts that the emulator signs for. */
export type AccountsOptions =
  | MnemonicOptions
  | { readonly privateKeys: readonly Hex[]; readonly balance?: codec.Amount }
  | readonly AccountOptions[]

const ACCOUNT_BALANCE = 10_000n * 10n ** 18n
const MAX_ACCOUNTS = 10_000

interface ResolvedKey {
  readonly option: string
  readonly privateKey: Hex
  readonly balance: bigint
}

const mnemonicText = identityCodec('a BIP-39 mnemonic', (value) => typeof value === 'string')
const derivationPath = identityCodec(
  "a derivation path such as m/44'/60'/0'/0",
  (value): value is string => typeof value === 'string' && /^m(\/\d{1,10}'?)*$/.test(value),
)

/** The index of a key that is not hardened (BIP-32). */
const MAX_INDEX = 2 ** 31 - 1 - MAX_ACCOUNTS

const accountFields = objectCodec({
  privateKey: anything,
  balance: or(codec.anyAmount, ACCOUNT_BALANCE),
})

export type ResolvedAccounts =
  | { readonly keys: readonly ResolvedKey[] }
  | { readonly derivation: Derivation; readonly balance: bigint }

/** Checks the accounts and fills in their defaults; `defaultCount` of a mnemonic. */
export function resolveAccounts(value: unknown, defaultCount: number): ResolvedAccounts {
  if (Array.isArray(value)) {
    const keyAt = (given: unknown, index: number): ResolvedKey => {
      const path = `accounts[${index}]`
      const { privateKey, balance } = accountFields.decode(given, path)
      const option = `${path}.privateKey`
      return { option, privateKey: bytesToHex(privateKeyBytes.decode(privateKey, option)), balance }
    }
    return { keys: Array.from(value, keyAt) }
  }
  const given = value === undefined ? {} : value
  if (typeof given === 'number')
    codec.refuseValue('accounts', `an object, such as { count: ${given} }`, given)
  const table = {
    mnemonic: or(mnemonicText, DEFAULT_DERIVATION.mnemonic),
    passphrase: or(text, ''),
    path: or(derivationPath, DEFAULT_DERIVATION.path),
    initialIndex: or(codec.numberFrom(0, MAX_INDEX), 0),
    count: or(codec.numberFrom(0, MAX_ACCOUNTS), defaultCount),
  }
  const { privateKeys, balance, ...derivation } = decodeFields(given, 'accounts', {
    ...table,
    privateKeys: anything,
    balance: or(codec.anyAmount, ACCOUNT_BALANCE),
  })
  if (privateKeys === undefined) return { derivation, balance }
  if (Object.keys(table).some((name) => (given as Fields)[name] !== undefined))
    codec.refuseValue('accounts', 'either a mnemonic and its fields or privateKeys', given)
  const option = 'accounts.privateKeys'
  if (!Array.isArray(privateKeys)) codec.refuseValue(option, 'an array of private keys', privateKeys)
  const keys = Array.from(privateKeys, (key: unknown, index) => {
    return { option, privateKey: bytesToHex(privateKeyBytes.decode(key, `${option}[${index}]`)), balance }
  })
  return { keys }
}

/** A JSON ABI, as compilers write it and viem, ethers and others accept it, with or without `as const`. */
export type Abi = readonly object[]

/** An ABI, or an object with one, such as a compiler's artifact. */
export type AbiSource = Abi | { readonly abi: Abi }

const EXPECTED = 'a JSON ABI, an object with one as abi, or an array of these'
const MOST_ENTRIES = 100_000
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/

function entriesOf(value: unknown, path: string): readonly unknown[] {
  const hasAbi = typeof value === 'object' && value !== null && 'abi' in value
  const abi = Array.isArray(value) || !hasAbi ? value : value.abi
  if (!Array.isArray(abi)) codec.refuseValue(path, EXPECTED, value)
  if (abi.length > MOST_ENTRIES)
    codec.refuse(path, `expected at most ${MOST_ENTRIES} entries, got ${abi.length}`)
  // Array.from sees the holes of an array, which flatMap passes over.
  return Array.from(abi)
}

/** The entries of one ABI, or of all in an array of ABIs. */
function allEntries(value: unknown, path: string): readonly unknown[] {
  return entriesOf(value, path).flatMap((each: unknown) => {
    const isSource = Array.isArray(each) || (typeof each === 'object' && each !== null && 'abi' in each)
    return isSource ? entriesOf(each, path) : [each]
  })
}

function toCustomError(entry: unknown, path: string): CustomError | undefined {
  const { type, name, inputs } = (entry ?? {}) as { type?: unknown; name?: unknown; inputs?: unknown }
  if (typeof type !== 'string') codec.refuseValue(path, 'entries with a type, as a JSON ABI has them', entry)
  if (type !== 'error') return undefined
  if (typeof name !== 'string' || !IDENTIFIER.test(name)) codec.refuseValue(path, 'errors with a name', name)
  const expected = `the error ${name} to have inputs with types of the ABI specification`
  return { name, inputs: parseAbiParameters(inputs) ?? codec.refuseValue(path, expected, inputs) }
}

/** The custom errors of ABIs; all other entries are ignored. */
export const customErrors: codec.Codec<CustomError[], AbiSource | readonly AbiSource[]> = {
  name: 'ABIs',
  decode: (value, path) =>
    allEntries(value, path)
      .map((entry) => toCustomError(entry, path))
      .filter((error) => error !== undefined),
}
