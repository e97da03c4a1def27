// Wallet that signs with viem and submits over RPC. It uses no code of the chain.

import { type Hex, parseGwei } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Emulator } from '../../../src/index.ts'

/** Six private keys of accounts without funds elsewhere. */
export const privateKeys = [1, 2, 3, 4, 5, 6].map((digit): Hex => `0x${`${digit}`.repeat(64)}`)

export type TransactionType = 'legacy' | 'eip2930' | 'eip1559' | 'eip7702'

/** A transaction in a test; absent fields get defaults with which it runs. */
export interface Draft {
  /** Default eip1559. */
  readonly type?: TransactionType
  /** None creates a contract from `data`. */
  readonly to?: Hex
  readonly value?: bigint
  readonly data?: Hex
  /** Default 21,000. */
  readonly gas?: bigint
  /** Fee cap, or gas price of the older types, in wei. Default 10 gwei. */
  readonly fee?: bigint
  /** Default 1 gwei. */
  readonly tip?: bigint
  /** Default: one more than this wallet's last. */
  readonly nonce?: number
  readonly accessList?: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
  readonly authorizationList?: readonly SignedAuthorization[]
}

export interface SignedAuthorization {
  readonly chainId: number
  readonly address: Hex
  readonly nonce: number
  readonly yParity: number
  readonly r: Hex
  readonly s: Hex
}

export interface Wallet {
  /** Lower case, as in the chain's answers. */
  readonly address: Hex
  readonly account: PrivateKeyAccount
  /** How many transactions it has signed. */
  nonce: number
  /** The raw bytes of a signed transaction. */
  sign(draft: Draft): Promise<Hex>
  /** Signs and submits; gives the hash. */
  send(draft: Draft): Promise<Hex>
  /** Signs an EIP-7702 authorization that delegates this account. */
  authorize(contract: Hex, nonce: number): Promise<SignedAuthorization>
}

type Signable = Parameters<PrivateKeyAccount['signTransaction']>[0]

function toSignable(draft: Draft, chainId: number, nonce: number): Signable {
  const { type = 'eip1559', to, value = 0n, data, gas = 21_000n } = draft
  const { fee = parseGwei('10'), tip = parseGwei('1'), accessList, authorizationList } = draft
  const isOlder = type === 'legacy' || type === 'eip2930'
  return {
    type,
    chainId,
    nonce,
    gas,
    value,
    ...(to === undefined ? {} : { to }),
    ...(data === undefined ? {} : { data }),
    ...(isOlder ? { gasPrice: fee } : { maxFeePerGas: fee, maxPriorityFeePerGas: tip }),
    ...(accessList === undefined ? {} : { accessList }),
    ...(authorizationList === undefined ? {} : { authorizationList }),
  } as Signable
}

export function makeWallet(chain: Emulator, privateKey: Hex, chainId = 31_337): Wallet {
  const account = privateKeyToAccount(privateKey)
  const wallet: Wallet = {
    address: account.address.toLowerCase() as Hex,
    account,
    nonce: 0,
    sign(draft) {
      const nonce = draft.nonce ?? wallet.nonce++
      return account.signTransaction(toSignable(draft, chainId, nonce))
    },
    async send(draft) {
      const raw = await wallet.sign(draft)
      return chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
    },
    async authorize(contract, nonce) {
      const signed = await account.signAuthorization({ contractAddress: contract, chainId, nonce })
      const { r, s, yParity } = signed
      return { chainId, address: contract, nonce, r, s, yParity: yParity ?? 0 }
    },
  }
  return wallet
}

export type Wallets = readonly [Wallet, Wallet, Wallet, Wallet, Wallet, Wallet]

/** A wallet for each of `privateKeys`. */
export function makeWallets(chain: Emulator, chainId = 31_337): Wallets {
  return privateKeys.map((key) => makeWallet(chain, key, chainId)) as unknown as Wallets
}
