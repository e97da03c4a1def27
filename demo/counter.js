// @ts-check
// The Counter contract of the demo, through viem over the EIP-1193 provider.

import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  custom,
  getContractAddress,
  maxUint256,
  parseGwei,
} from 'viem'
import { abi, bytecode } from './contract.js'
import { bold, dim } from './picture.js'

/** @typedef {`0x${string}`} Hex */
/** @typedef {{ readonly name: string, readonly address: Hex }} Person */

/**
 * @param {import('tickchain').Emulator} chain
 * @param {Person} owner deploys it, as their first transaction
 * @param {(hash: Hex, label: string) => void} label names a transaction
 */
export function createCounter(chain, owner, label) {
  // viem would retry a reverting request, with a delay.
  const transport = custom(chain, { retryCount: 0 })
  const reader = createPublicClient({ transport })
  const wallet = createWalletClient({ transport })
  const address = getContractAddress({ from: owner.address, nonce: 0n })
  const contract = { address, abi }
  chain.label(address, 'Counter')

  return {
    async deploy() {
      const hash = await wallet.deployContract({ abi, bytecode, account: owner.address, chain: null })
      label(hash, `${bold(owner.name)} deploys Counter`)
      return hash
    },

    /** Adds; with explicit gas, so that viem makes no estimate. @param {Person} person @param {bigint} amount @param {string} tip */
    async add(person, amount, tip = '1') {
      const hash = await wallet.writeContract({
        ...contract,
        functionName: 'add',
        args: [amount],
        account: person.address,
        chain: null,
        gas: 100_000n,
        maxPriorityFeePerGas: parseGwei(tip),
      })
      const shown = amount === maxUint256 ? '2²⁵⁶ − 1' : amount
      label(hash, `${bold(person.name)} +${shown} ${dim(`(${tip} gwei)`)}`)
      return hash
    },

    /** @param {'latest' | 'pending'} blockTag */
    countAt: (blockTag) => reader.readContract({ ...contract, functionName: 'count', blockTag }),

    /** The events of one block, by eth_getLogs. @param {'pending' | bigint} block */
    eventsOf: (block) =>
      reader.getContractEvents({ ...contract, eventName: 'Incremented', fromBlock: block, toBlock: block }),

    /** viem's reason for the revert of an addition. @param {Person} person @param {bigint} amount */
    async whyNotAdd(person, amount) {
      const account = person.address
      const error = await reader
        .simulateContract({ ...contract, functionName: 'add', args: [amount], account, blockTag: 'pending' })
        .catch((it) => it)
      const cause =
        error instanceof BaseError
          ? error.walk((it) => it instanceof ContractFunctionRevertedError)
          : undefined
      return cause instanceof ContractFunctionRevertedError ? cause.reason : undefined
    },
  }
}
