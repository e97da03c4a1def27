// EntryPoints 0.6, in the genesis state of a rollup, and 0.7, by the salt of the page: each executes an operation that
// makes its account.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createEmulator, type Emulator } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import {
  type Abi,
  type Address,
  createWalletClient,
  encodeFunctionData,
  getContract,
  type Hex,
  parseEther,
  parseEventLogs,
  publicActions,
} from 'viem'
import {
  entryPoint06Abi,
  entryPoint06Address,
  entryPoint07Abi,
  entryPoint07Address,
  getUserOperationHash,
  toPackedUserOperation,
} from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'

const PROXY = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const SALT_07 = '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3'
const PAYEE = '0x00000000000000000000000000000000000000ee'
const owner = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

async function artifact(
  version: '06' | '07',
  name: string,
): Promise<{ readonly abi: Abi; readonly bytecode: Hex }> {
  const path = createRequire(import.meta.url).resolve(`contracts-${version}/artifacts/${name}.json`)
  return JSON.parse(await readFile(path, 'utf8'))
}

/** An account that does not exist, the call that makes it, and its first operation: 7 wei for a payee. */
async function firstOperation(chain: Emulator, version: '06' | '07', entryPoint: Address) {
  const [from] = (await chain.listAccounts()) as [Address]
  const client = createWalletClient({
    ...emulatorConfig(chain, { reads: 'pending' }),
    account: from as Address,
  }).extend(publicActions)
  const { abi, bytecode } = await artifact(version, 'SimpleAccountFactory')
  const deployment = await client.deployContract({ abi, bytecode, args: [entryPoint] })
  await chain.advance(200)
  const { contractAddress } = await client.getTransactionReceipt({ hash: deployment })
  if (!contractAddress) throw new Error('the factory has no address')
  const factory = getContract({ abi, address: contractAddress, client })
  const sender = (await factory.read['getAddress']?.([owner.address, 0n])) as Address
  await chain.setBalance(sender, parseEther('1'))
  const account = await artifact(version, 'SimpleAccount')
  return {
    client,
    factory: contractAddress,
    factoryData: encodeFunctionData({ abi, functionName: 'createAccount', args: [owner.address, 0n] }),
    operation: {
      sender,
      nonce: 0n,
      callData: encodeFunctionData({ abi: account.abi, functionName: 'execute', args: [PAYEE, 7n, '0x'] }),
      callGasLimit: 100_000n,
      verificationGasLimit: 600_000n,
      preVerificationGas: 50_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
      signature: '0x' as Hex,
    },
  }
}

test('0.7 is at its address, and executes', async () => {
  const chain = await createEmulator({ predeploys: ['create2'] })
  const [from] = (await chain.listAccounts()) as [Address]
  const { bytecode } = await artifact('07', 'EntryPoint')
  const data = `${SALT_07}${bytecode.slice(2)}` as const
  await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: PROXY, data }] })
  await chain.advance(200)

  const { client, operation, ...made } = await firstOperation(chain, '07', entryPoint07Address)
  const userOperation = { ...operation, ...made }
  const context = { chainId: client.chain.id, entryPointAddress: entryPoint07Address } as const
  const raw = getUserOperationHash({ ...context, entryPointVersion: '0.7', userOperation })
  const signature = await owner.signMessage({ message: { raw } })
  const hash = await client.writeContract({
    abi: entryPoint07Abi,
    address: entryPoint07Address,
    functionName: 'handleOps',
    args: [[toPackedUserOperation({ ...userOperation, signature })], PAYEE],
    gas: 3_000_000n,
  })
  await chain.advance(2000)
  const { logs } = await client.getTransactionReceipt({ hash })
  const [event] = parseEventLogs({ abi: entryPoint07Abi, logs, eventName: 'UserOperationEvent' })
  expect(event?.args).toMatchObject({ sender: operation.sender, userOpHash: raw, success: true, nonce: 0n })
  // What the operation has cost, and what it sent.
  expect(await client.getBalance({ address: PAYEE })).toBe((event?.args.actualGasCost ?? 0n) + 7n)
})

test('0.6 is in the genesis state of a rollup, and executes', async () => {
  const chain = await createEmulator({ rollup: { stack: 'op' } })
  const { client, operation, factory, factoryData } = await firstOperation(chain, '06', entryPoint06Address)
  const initCode = `${factory}${factoryData.slice(2)}` as const
  const userOperation = { ...operation, initCode, paymasterAndData: '0x' } as const
  const context = { chainId: client.chain.id, entryPointAddress: entryPoint06Address } as const
  const raw = getUserOperationHash({ ...context, entryPointVersion: '0.6', userOperation })
  const signature = await owner.signMessage({ message: { raw } })
  const hash = await client.writeContract({
    abi: entryPoint06Abi,
    address: entryPoint06Address,
    functionName: 'handleOps',
    args: [[{ ...userOperation, signature }], PAYEE],
    gas: 3_000_000n,
  })
  await chain.advance(2000)
  const { logs } = await client.getTransactionReceipt({ hash })
  const [event] = parseEventLogs({ abi: entryPoint06Abi, logs, eventName: 'UserOperationEvent' })
  expect(event?.args).toMatchObject({ sender: operation.sender, userOpHash: raw, success: true, nonce: 0n })
  expect(await client.getBalance({ address: PAYEE })).toBe((event?.args.actualGasCost ?? 0n) + 7n)
})
