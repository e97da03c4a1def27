// Decoded traces: names, arguments, results, events, storage changes, errors; and their text.

import { readFileSync } from 'node:fs'
import solc from 'solc'
import { createEmulator, type Emulator, formatTrace, type TickchainError, type TracedCall } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorConfig } from 'tickchain/viem'
import { type Abi, createPublicClient, encodeFunctionData, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { causeSentence } from '../../../../src/tools/testing/failure-trace.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const BOB_TEXT = 'Bob: [0x70997970C51812dc3A010C7d01b50e0d17dc79C8]'
// By Alice with nonce 0 (the well-known first address of a fresh chain), and by it with nonce 1.
const VAULT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const VAULT_TEXT = 'Vault: [0x5FbDB2315678afecb367f032d93F642f64180aa3]'
const TOKEN_TEXT = 'Token: [0xa16E02E87b7454126E5E10d957A927A7F5B5d2be]'
const ETHER = 10n ** 18n

interface Artifact {
  readonly abi: readonly object[]
  readonly evm: { readonly bytecode: { readonly object: string } }
}

const source = {
  language: 'Solidity',
  sources: { 'Vault.sol': { content: readFileSync(new URL('Vault.sol', import.meta.url), 'utf8') } },
  settings: { outputSelection: { '*': { '*': ['*'], '': ['ast'] } } },
}
let output: { readonly contracts: { readonly 'Vault.sol': Readonly<Record<string, Artifact>> } }
let vault: Artifact

beforeAll(() => {
  output = JSON.parse(solc.compile(JSON.stringify(source)))
  vault = output.contracts['Vault.sol']['Vault'] as Artifact
})

function dataOf(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: vault.abi as Abi, functionName, args: [...args] })
}

async function send(chain: Emulator, fields: { to?: Hex; data?: Hex; value?: Hex }): Promise<Hex> {
  const transaction = { from: ALICE, gas: '0x300000', ...fields } as const
  return chain.request({ method: 'eth_sendTransaction', params: [transaction] })
}

/** A chain with a vault, and the hash of the transaction that created it. */
async function deploy(): Promise<{ chain: Emulator; created: Hex }> {
  const chain = await createEmulator({ production: 'auto' })
  await chain.addContracts({ input: source, output })
  chain.label(BOB, 'Bob')
  const created = await send(chain, { data: `0x${vault.evm.bytecode.object}`, value: '0x5' })
  return { chain, created }
}

/** The text without the gas of each call, which depends on the compiler. */
async function textOf(chain: Emulator, target: Hex | object): Promise<string[]> {
  const text = formatTrace(await chain.trace(target))
  return text.replace(/\[\d+\] /g, '').split('\n')
}

describe('a decoded trace', () => {
  test('names created contracts, their arguments, values and variables', async () => {
    const { chain, created } = await deploy()
    expect(await textOf(chain, created)).toEqual([
      '  → new Vault@0x5FbDB2315678afecb367f032d93F642f64180aa3{value: 5}',
      '    ├─ → new Token@0xa16E02E87b7454126E5E10d957A927A7F5B5d2be(1000000000000000000000000 [1e24])',
      '    │   ├─ storage changes:',
      '    │   │   name: "" → "Tok"',
      '    │   │   balances[Vault]: 0 → 1000000000000000000000000 [1e24]',
      `    │   │   owner: 0x0000000000000000000000000000000000000000 → ${VAULT_TEXT}`,
      expect.stringMatching(/^ {4}│ {3}└─ ← \[Return\] \d+ bytes of code$/),
      '    ├─ storage changes:',
      `    │   token: 0x0000000000000000000000000000000000000000 → ${TOKEN_TEXT}`,
      expect.stringMatching(/^ {4}└─ ← \[Return\] \d+ bytes of code$/),
    ])
  })

  test('has functions, events, results and packed variables, pre-confirmed too', async () => {
    const { chain } = await deploy()
    await chain.request({ method: 'evm_setAutomine', params: [false] })
    const hash = await send(chain, { to: VAULT, data: dataOf('pay', [BOB, ETHER]) })
    await chain.advance(200)
    expect(await textOf(chain, hash)).toEqual([
      `  Vault::pay(${BOB_TEXT}, 1000000000000000000 [1e18])`,
      `    ├─ Token::transfer(${BOB_TEXT}, 1000000000000000000 [1e18])`,
      `    │   ├─ emit Transfer(from: ${VAULT_TEXT}, to: ${BOB_TEXT}, value: 1000000000000000000 [1e18])`,
      '    │   ├─ storage changes:',
      '    │   │   balances[Vault]: 1000000000000000000000000 [1e24] → 999999000000000000000000 [9.999e23]',
      '    │   │   balances[Bob]: 0 → 1000000000000000000 [1e18]',
      '    │   └─ ← [Return] true',
      '    └─ ← [Stop]',
    ])
  })

  test('keeps the changes of calls that succeed beside one that fails', async () => {
    const { chain } = await deploy()
    const hash = await send(chain, { to: VAULT, data: dataOf('tryPay', [BOB, 10n ** 30n]) })
    const required = '1000000000000000000000000000000 [1e30]'
    expect(await textOf(chain, hash)).toEqual([
      `  Vault::tryPay(${BOB_TEXT}, ${required})`,
      `    ├─ Token::transfer(${BOB_TEXT}, ${required})`,
      `    │   └─ ← [Revert] Insufficient(${VAULT_TEXT}, 1000000000000000000000000 [1e24], ${required})`,
      '    ├─ Token::note("hi")',
      '    │   ├─ storage changes:',
      '    │   │   notes: 0 elements → 1 element',
      '    │   │   notes[0].a: 0 → 1',
      '    │   │   notes[0].b: 0 → 7',
      '    │   │   notes[0].text: "" → "hi"',
      '    │   │   fee: 0 → 9',
      '    │   │   name: "Tok" → "Longer than before"',
      '    │   │   allowance[Vault][Vault]: 0 → 4',
      '    │   └─ ← [Stop]',
      '    └─ ← [Return] false',
    ])
  })

  test('of a call that fails names the error and its arguments, in colour when asked', async () => {
    const { chain } = await deploy()
    const call = { from: ALICE, to: VAULT, data: dataOf('pay', [BOB, 10n ** 25n]) }
    const trace = await chain.trace(call)
    expect(trace).toMatchObject({ transactionHash: undefined, status: 'failed', isCut: false })
    const error = await chain.request('eth_call', [call]).catch((thrown: TickchainError) => thrown)
    const found = { kind: 'call', error: error as TickchainError, trace: async () => trace } as const
    // The cause at the top of a test's page.
    expect(causeSentence(found, trace)).toMatch(
      /^Token\.transfer \(.*\) reverted: Insufficient\(owner: .*, available: .*, required: .*\)$/,
    )
    expect(trace.call.error).toEqual({
      name: 'Insufficient',
      args: [VAULT, 10n ** 24n, 10n ** 25n],
      message: `Insufficient(${VAULT_TEXT}, 1000000000000000000000000 [1e24], 10000000000000000000000000 [1e25])`,
      text: `Insufficient(owner: ${VAULT_TEXT}, available: 1000000000000000000000000 [1e24], required: 10000000000000000000000000 [1e25])`,
    })
    expect(trace.call.storage).toEqual([])
    const [first, ...rest] = formatTrace(trace, { color: true }).split('\n')
    expect(first).toContain('\u001b[31mVault\u001b[0m::\u001b[31mpay\u001b[0m(')
    expect(rest.at(-1)).toContain('\u001b[31m[Revert]\u001b[0m Insufficient(')
  })

  test('has the places of a failure beside the calls that they are in, with the lines around', async () => {
    const { chain } = await deploy()
    const { call } = await chain.trace({ from: ALICE, to: VAULT, data: dataOf('pay', [BOB, 10n ** 25n]) })
    const inner = call.entries.at(-1) as TracedCall
    expect(inner.stack.map(({ text }) => text)).toEqual(['Token.transfer (Vault.sol:16)'])
    expect(inner.stack[0]?.excerpt).toMatchObject({ file: 'Vault.sol', line: 16, from: 13 })
    expect(inner.stack[0]?.excerpt?.lines).toHaveLength(7)
    expect(inner.stack[0]?.excerpt?.lines[3]).toMatch(/^ {8}if \(balances\[msg\.sender\] < amount\) revert/)
    expect(call.stack.map(({ text }) => text)).toEqual(['Vault.pay (Vault.sol:25)'])
    const { call: caught } = await chain.trace({ to: VAULT, data: dataOf('tryPay', [BOB, 10n ** 30n]) })
    expect(caught.stack).toEqual([])
  })

  test('tells the gas before the call and what was refunded, and what changed in the end', async () => {
    const { chain } = await deploy()
    // Writes 1 and then 0 to slot 0, 2 to slot 1: PUSH1 1, PUSH0, SSTORE; PUSH0, PUSH0, SSTORE; 2 to 1; STOP.
    const code = '0x60015f555f5f55600260015500'
    const writer = '0x00000000000000000000000000000000000c0de0'
    await chain.setCode(writer, code)
    const trace = await chain.trace(await send(chain, { to: writer }))
    // EIP-2929, EIP-3529: 22,100 and 100 for slot 0, 19,900 back; 22,100 for slot 1. Pushes: 3 + 2 + 2 + 2 + 3 + 3.
    const execution = 22_100 + 100 + 22_100 + 15
    expect(trace.intrinsicGas).toBe(21_000n)
    expect(trace.call.gasUsed).toBe(execution)
    // At most a fifth of the gas is refunded.
    expect(trace.gasUsed).toBe(BigInt(21_000 + execution - Math.floor((21_000 + execution) / 5)))
    expect(trace.storage).toEqual([
      { address: writer, slot: `0x${'0'.repeat(63)}1`, name: undefined, before: '0', after: '2' },
    ])
  })

  test('leaves out of the whole what a failed call undid', async () => {
    const { chain } = await deploy()
    const hash = await send(chain, { to: VAULT, data: dataOf('tryPay', [BOB, ETHER]) })
    const { storage } = await chain.trace(hash)
    const names = storage.map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(['balances[Vault]', 'balances[Bob]'])
    expect(names).toContain('fee')
    const failed = await chain.trace({ to: VAULT, data: dataOf('pay', [BOB, 10n ** 25n]) })
    expect(failed.storage).toEqual([])
  })

  test('agrees with the receipt in gas, and with the call tree in its types', async () => {
    const { chain } = await deploy()
    const hash = await send(chain, { to: VAULT, data: dataOf('pay', [BOB, ETHER]) })
    const trace = await chain.trace(hash)
    const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    expect(trace.gasUsed).toBe(BigInt(receipt?.gasUsed as string))
    const [inner] = trace.call.entries as readonly TracedCall[]
    expect(inner).toMatchObject({ kind: 'CALL', from: VAULT, name: 'Token', functionName: 'transfer' })
    expect(inner?.args).toEqual([
      { name: 'to', type: 'address', value: BOB, text: BOB_TEXT },
      { name: 'amount', type: 'uint256', value: ETHER, text: '1000000000000000000 [1e18]' },
    ])
    expect(inner?.results).toEqual([{ name: '', type: 'bool', value: true, text: 'true' }])
  })

  test('shows unknown code by selector and topics, and precompiles by name', async () => {
    const chain = await createEmulator()
    // LOG1 with topic 7 and one byte of zeros, then a STATICCALL of the identity precompile with 2 bytes.
    await chain.setCode(
      '0x00000000000000000000000000000000000c0de0',
      '0x60076001 5fa1 5f5f60025f60045afa00'.replaceAll(' ', '') as Hex,
    )
    const call = { from: ALICE, to: '0x00000000000000000000000000000000000c0de0', data: '0x12345678abcd' }
    expect(await textOf(chain, call)).toEqual([
      '  0x00000000000000000000000000000000000c0De0::12345678(abcd)',
      `    ├─  emit topic 0: 0x${'0'.repeat(63)}7`,
      '    │           data: 0x00',
      '    ├─ precompiles::ID(0x0000) [staticcall]',
      '    │   └─ ← [Return] 0x0000',
      '    └─ ← [Stop]',
    ])
  })

  test('is cut at limits.traceEntries, and says so', async () => {
    const chain = await createEmulator({ limits: { traceEntries: 3 } })
    // Ten logs without topics: PUSH0 PUSH0 LOG0.
    await chain.setCode('0x00000000000000000000000000000000000c0de0', `0x${'5f5fa0'.repeat(10)}` as Hex)
    const trace = await chain.trace({ to: '0x00000000000000000000000000000000000c0de0' })
    expect(trace.isCut).toBe(true)
    expect(trace.call.entries).toHaveLength(3)
    expect(formatTrace(trace)).toContain('limits.traceEntries')
  })
})

describe('chain.trace', () => {
  test('refuses unknown and waiting transactions in the words of geth', async () => {
    const chain = await createEmulator()
    const unknown = `0x${'ab'.repeat(32)}` as const
    const refusal = {
      kind: 'transactionNotFound',
      code: -32000,
      message: `transaction not found: ${unknown}`,
    }
    await expect(chain.trace(unknown)).rejects.toMatchObject(refusal)
    const waiting = await send(chain, { to: BOB, value: '0x1' })
    await expect(chain.trace(waiting)).rejects.toMatchObject({ kind: 'transactionNotFound' })
  })

  test('refuses what is no transaction, and unknown options', async () => {
    const chain = await createEmulator()
    await expect(chain.trace('0x12')).rejects.toMatchObject({ kind: 'invalidCall' })
    await expect(chain.trace({ too: BOB })).rejects.toMatchObject({ kind: 'invalidCall' })
    await expect(chain.trace({ to: BOB }, { blok: 1 } as never)).rejects.toMatchObject({
      kind: 'invalidCall',
    })
  })

  test('is known to a clone, and does not change the chain', async () => {
    const { chain, created } = await deploy()
    const before = await chain.dump()
    const copy = chain.clone()
    await chain.trace(created)
    expect(await chain.dump()).toEqual(before)
    expect((await copy.trace(created)).call.name).toBe('Vault')
  })
})

test('an object that has the hash or the address that was meant is refused with its field', async () => {
  const chain = await createEmulator({ production: 'auto' })
  const hash = await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB }])
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  const words = 'expected a hash of 32 bytes, got an object (did you mean its transactionHash?)'
  for (const call of ['trace', 'outcome'] as const)
    await expect(chain[call](receipt as never)).rejects.toMatchObject({
      kind: 'invalidCall',
      message: expect.stringContaining(words),
    })
  await expect(chain.trace({ hash } as never)).rejects.toThrow('got an object (did you mean its hash?)')
  await expect(chain.setBalance({ address: BOB } as never, 1n)).rejects.toThrow(
    'expected an address of 20 bytes, got an object (did you mean its address?)',
  )
})

describe('chain.addContracts', () => {
  test('refuses what it does not understand and says what it got', async () => {
    const chain = await createEmulator()
    await expect(chain.addContracts({ bytecode: '0x' })).rejects.toMatchObject({
      kind: 'invalidContracts',
      message: expect.stringContaining('got an object with bytecode'),
    })
    await expect(chain.addContracts('Vault' as never)).rejects.toMatchObject({ kind: 'invalidContracts' })
  })

  test('takes bare ABIs, which decode calls of contracts that are not recognised', async () => {
    const chain = await createEmulator()
    await chain.addContracts(vault.abi)
    const call = { from: ALICE, to: VAULT, data: dataOf('pay', [BOB, 12_345n]) }
    expect(await textOf(chain, call)).toEqual([
      '  0x5FbDB2315678afecb367f032d93F642f64180aa3::pay(account1: [0x70997970C51812dc3A010C7d01b50e0d17dc79C8], 12345 [1.234e4])',
      '    └─ ← [Stop]',
    ])
  })
})

describe('chain.label', () => {
  test('refuses an empty name and a wrong address', async () => {
    const chain = await createEmulator()
    expect(() => chain.label(BOB, 7 as never)).toThrow(expect.objectContaining({ kind: 'invalidCall' }))
    expect(() => chain.label('0x12', 'Bob')).toThrow(expect.objectContaining({ kind: 'invalidCall' }))
  })
})

describe('chain.trace of an error', () => {
  const call = (): { to: Hex; data: Hex } => ({ to: VAULT, data: dataOf('pay', [BOB, 10n ** 25n]) })
  const failed = { status: 'failed', call: { name: 'Vault', error: { name: 'Insufficient' } } }
  const errorOf = (promise: Promise<unknown>): Promise<Error> =>
    promise.then(
      () => expect.unreachable('it failed'),
      (error) => error as Error,
    )

  test('is that of the call, as a request, viem and ethers reject it', async () => {
    const { chain } = await deploy()
    const viem = createPublicClient(emulatorConfig(chain))
    const ethers = new EmulatorProvider(chain)
    const errors = [
      await errorOf(chain.request({ method: 'eth_call', params: [call()] })),
      await errorOf(chain.request({ method: 'eth_estimateGas', params: [call()] })),
      await errorOf(chain.request({ method: 'eth_sendTransaction', params: [{ from: ALICE, ...call() }] })),
      await errorOf(viem.call(call())),
      await errorOf(viem.estimateGas({ account: ALICE, ...call() })),
      await errorOf(
        viem.readContract({
          address: VAULT,
          abi: vault.abi as Abi,
          functionName: 'pay',
          args: [BOB, 10n ** 25n],
        }),
      ),
      await errorOf(ethers.call(call())),
      await errorOf(ethers.estimateGas(call())),
    ]
    for (const error of errors) expect(await chain.trace(error)).toMatchObject(failed)
    ethers.destroy()
  })

  test('is that of the transaction, where sending throws', async () => {
    const chain = await createEmulator({ production: 'auto', throwOnTransactionFailures: true })
    await chain.setCode(VAULT, '0x5f5ffd')
    const error = await errorOf(send(chain, { to: VAULT }))
    const trace = await chain.trace(error)
    expect(trace.transactionHash).toBe((error as unknown as { transactionHash: Hex }).transactionHash)
    expect(trace.call.error?.message).toBe('execution reverted')
  })

  test('refuses errors of something else', async () => {
    const chain = await createEmulator()
    const error = await errorOf(chain.request({ method: 'eth_call', params: [{ to: '0x12' } as never] }))
    await expect(chain.trace(error)).rejects.toMatchObject({ kind: 'invalidCall' })
  })
})
