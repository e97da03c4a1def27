// What the made-up layer 1 of a rollup brings, among the random commands: deposits and system configurations.

import { encodeFunctionData, parseAbi } from 'viem'
import type { Random } from '../../scripts/fuzz/random.js'
import { bytesToHex, hexToBytes, toQuantity } from '../../src/core/primitives/hex.ts'
import { OP_PREDEPLOYS } from '../../src/core/rollup/op/predeploys.ts'
import type { Command } from './commands.ts'
import type { Generator, Message } from './generator.ts'
import { randomSystem } from './rollup-world.ts'
import { counter, lifecycle, senders, strangers } from './world.ts'

const PASSER = parseAbi(['function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable'])
const ETHER = 10n ** 18n

/** A withdrawal; it keeps its ether. */
function withdrawal(random: Random): Message {
  const args = [random.pick(strangers), 100_000n, '0x'] as const
  const input = encodeFunctionData({ abi: PASSER, functionName: 'initiateWithdrawal', args })
  const value = random.pick([0n, 1n, ETHER])
  return { to: OP_PREDEPLOYS.L2ToL1MessagePasser, value, input: hexToBytes(input) }
}

function randomDeposit({ random }: Generator, message: Message): Command {
  const { to, value, input } = random.oneIn(5) ? withdrawal(random) : message
  const from = random.pick([...senders, ...strangers, counter, lifecycle])
  const mint = random.pick([0n, 0n, 1n, ETHER, value, 2n ** 128n - 1n, 2n ** 128n])
  // What the portal asks for, and less than the call needs.
  const least = 21_000n + 40n * BigInt(input.length)
  const gasLimit = random.pick([undefined, undefined, least, least - 1n, 600_000n, 2_000_000n, 20_000_001n])
  const deposit = {
    from,
    ...(to === undefined ? {} : { to }),
    ...(gasLimit === undefined ? {} : { gasLimit: toQuantity(gasLimit) }),
    ...{ value: toQuantity(value), mint: toQuantity(mint), data: bytesToHex(input) },
  }
  return { call: 'control', name: 'deposit', args: [deposit] }
}

/** Some parts of a system configuration, valid or not. */
function randomChange(random: Random): Command {
  const { eip1559, ...scalars } = randomSystem(random)
  const entries = Object.entries(scalars).filter(() => random.oneIn(3))
  const change = {
    ...Object.fromEntries(entries),
    ...(random.oneIn(3) ? { eip1559 } : {}),
    ...(random.oneIn(4) ? { gasLimit: random.pick([21_000_000, 30_000_000, 20_999_999]) } : {}),
    ...(random.oneIn(20) ? { eip1559: { denominator: 0, elasticity: 2 } } : {}),
  }
  return { call: 'control', name: 'setSystemConfig', args: [change] }
}

/** `message`: what a deposit may call. */
export function randomFromLayer1(generator: Generator, message: Message): Command {
  const { random } = generator
  return random.oneIn(4) ? randomChange(random) : randomDeposit(generator, message)
}
