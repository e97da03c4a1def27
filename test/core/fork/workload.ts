// Random transactions that write, empty, delete and make anew accounts and slots: the same ones for any chain, signed
// beforehand.

import { encodePacked, type Hex, keccak256, numberToHex, pad } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Keeps pairs of words of its input, slots and values; deletes itself if there is no input. */
const KEEPER = '3660065733ff5b5f5b36811015601f578060200135813555604001600856005b00'
/** Creates a contract by CREATE2 with its input as creation code. */
const FACTORY = '365f5f375f365f34f500'

/** Creation code that returns a code of up to 255 bytes. */
function creationOf(code: string): Hex {
  const length = (code.length / 2).toString(16).padStart(2, '0')
  return `0x60${length}8060095f395ff3${code}`
}

/** Keepers of different codes have different addresses. */
const KEEPER_CREATIONS = ['', '01', '02'].map((suffix) => creationOf(KEEPER + suffix))

const KEYS: readonly Hex[] = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
]
const ACCOUNTS = KEYS.map((key) => privateKeyToAccount(key))
/** Accounts that delegate and never send: nodes hold back transactions of delegated senders. */
const AUTHORITIES = [1, 2].map((digit) => privateKeyToAccount(`0x${'a0'.repeat(31)}0${digit}`))
/** Nobody has their keys; EIP-161 deletes them when they are touched without a balance. */
const OTHERS = [1, 2, 3, 4, 5].map((digit): Hex => `0x${'0b'.repeat(19)}0${digit}`)

function addressCreated(from: Hex, creation: Hex): Hex {
  const packed = encodePacked(
    ['bytes1', 'address', 'bytes32', 'bytes32'],
    ['0xff', from, pad('0x'), keccak256(creation)],
  )
  return `0x${keccak256(packed).slice(-40)}`
}

/** A generator of numbers below a bound (mulberry32). */
function randomFrom(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

interface Plan {
  readonly chainId: number
  readonly seed: number
  readonly blocks: number
  /** Whether transactions delegate accounts (EIP-7702). */
  readonly delegates: boolean
  /** False without slots and accounts that leave the tries. */
  readonly removes?: boolean
}

const GAS = 800_000n
const MAX_FEE = 100_000_000_000n

/** Raw transactions, block by block. The first block has the factory. */
export async function workload({ chainId, seed, blocks, delegates, removes = true }: Plan): Promise<Hex[][]> {
  const random = randomFrom(seed)
  const made: Hex[][] = []
  const nonces = ACCOUNTS.map(() => 0)
  const authorized = AUTHORITIES.map(() => 0)
  const [first] = ACCOUNTS as [PrivateKeyAccount]
  const factory = contractOfFirst(first.address)
  const keepers = KEEPER_CREATIONS.map((creation) => addressCreated(factory, creation))
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item

  // A recipient that would stay empty is touched, which removes it (EIP-161).
  const least = removes ? 0n : 1n

  async function sign(sender: number, fields: object): Promise<Hex> {
    const account = ACCOUNTS[sender] as PrivateKeyAccount
    const nonce = nonces[sender] as number
    nonces[sender] = nonce + 1
    return account.signTransaction({
      ...{ chainId, nonce, gas: GAS, maxFeePerGas: MAX_FEE, maxPriorityFeePerGas: 1n },
      ...fields,
    } as Parameters<typeof account.signTransaction>[0])
  }

  /** Slots and values, which are filled at first, and mostly cleared in the second half. */
  function pairs(): Hex {
    const isLate = made.length >= blocks / 2
    const words = Array.from({ length: 1 + random(20) }, () => [
      random(100),
      removes && isLate && random(4) > 0 ? 0 : 1 + random(1000),
    ])
    return `0x${words
      .flat()
      .map((word) => numberToHex(word, { size: 32 }).slice(2))
      .join('')}`
  }

  async function delegation(sender: number): Promise<Hex> {
    const index = random(AUTHORITIES.length)
    const nonce = authorized[index] as number
    authorized[index] = nonce + 1
    const contractAddress: Hex = random(3) === 0 ? `0x${'00'.repeat(20)}` : pick(keepers)
    const authority = AUTHORITIES[index] as PrivateKeyAccount
    const authorization = await authority.signAuthorization({ chainId, nonce, contractAddress })
    const fields = { to: pick(OTHERS), value: least, authorizationList: [authorization], type: 'eip7702' }
    return sign(sender, fields)
  }

  async function transaction(): Promise<Hex> {
    const sender = random(ACCOUNTS.length)
    switch (random(delegates ? 8 : 7)) {
      case 0:
        return sign(sender, {
          to: pick(OTHERS),
          value: BigInt((removes ? random(2) : 1) * (1 + random(1000))),
        })
      case 1:
        return sign(sender, { to: factory, data: pick(KEEPER_CREATIONS) })
      case 2:
        return sign(sender, { to: pick(keepers), data: removes && random(4) === 0 ? '0x' : pairs() })
      case 3:
        // Created and, with this code, deleted in one transaction.
        return sign(sender, { data: removes ? '0x33ff' : creationOf('00'), value: BigInt(random(2)) })
      case 4:
        return sign(sender, { data: creationOf(KEEPER) })
      case 7:
        return delegation(sender)
      default:
        return sign(sender, {
          to: random(4) === 0 ? pick(AUTHORITIES).address : pick(keepers),
          data: pairs(),
        })
    }
  }

  made.push([await sign(0, { data: creationOf(FACTORY) })])
  for (const creation of KEEPER_CREATIONS) made[0]?.push(await sign(0, { to: factory, data: creation }))
  // anvil takes every account for one that exists (EIP-7702), so these do.
  if (!removes)
    for (const { address } of AUTHORITIES) made[0]?.push(await sign(0, { to: address, value: 1n }))
  while (made.length < blocks) {
    const block: Hex[] = []
    for (let count = random(7); count >= 0; count--) block.push(await transaction())
    made.push(block)
  }
  return made
}

/** The address of the first contract that an account makes: the hash of the RLP of it and nonce 0. */
function contractOfFirst(from: Hex): Hex {
  return `0x${keccak256(`0xd694${from.slice(2).toLowerCase()}80`).slice(-40)}`
}
