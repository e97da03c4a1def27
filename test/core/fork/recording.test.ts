// Forks recorded and replayed.

import { encodeDeployData, encodeFunctionData, keccak256, stringToBytes } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { openPathsBy } from '../../../src/core/emulator/options/fork.ts'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator, type ForkOptions, type RecordingFile } from '../../../src/index.ts'
import { recordingFile } from '../../../src/recording.ts'
import { Token } from '../../contracts/generated.ts'
import { ask, wireTo } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const THIRD: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

interface TextFile extends RecordingFile {
  text: string | undefined
  writes: number
}

function textFile(text?: string): TextFile {
  const file: TextFile = {
    text,
    writes: 0,
    read: () => file.text,
    write(written) {
      file.text = written
      file.writes++
    },
  }
  return file
}

let chain: Emulator
let token: Hex

beforeEach(async () => {
  chain = await createEmulator({ production: 'auto' })
  const data = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [1000n] })
  const hash = await ask(chain, 'eth_sendTransaction', { from: FIRST, data })
  token = ((await ask(chain, 'eth_getTransactionReceipt', hash)) as { contractAddress: Hex }).contractAddress
})

const forkOf = (fork: ForkOptions): Promise<Emulator> => createEmulator({ production: 'auto', fork })

async function balanceOf(on: Emulator, who: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [who] })
  return BigInt((await ask(on, 'eth_call', { to: token, data }, 'latest')) as Hex)
}

/** A test's work on a fork: what it saw. */
async function work(on: Emulator): Promise<unknown> {
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [SECOND, 40n] })
  const hash = await ask(on, 'eth_sendTransaction', { from: FIRST, to: token, data })
  return [
    await ask(on, 'eth_getTransactionReceipt', hash),
    await balanceOf(on, FIRST),
    await ask(on, 'eth_getBlockByNumber', '0x0', false),
    await ask(on, 'eth_getBlockByNumber', 'latest', true),
  ]
}

async function record(of: (fork: Emulator) => Promise<unknown> = work): Promise<TextFile> {
  const file = textFile()
  await of(await forkOf({ upstream: chain, recording: file }))
  return file
}

test('what was recorded is replayed without an upstream, with the same results', async () => {
  const file = textFile()
  const recorded = await work(await forkOf({ upstream: chain, recording: file }))
  const written = file.text
  const wire = wireTo(chain)
  for (const fork of [{}, { mode: 'replay', upstream: wire }, { upstream: wire }] as const) {
    expect(await work(await forkOf({ ...fork, recording: file }))).toEqual(recorded)
  }
  expect(wire.asked).toEqual([])
  expect(file.text).toBe(written)
})

test('a recording is sorted text that does not depend on the order of the requests', async () => {
  const first = await record(async (fork) => {
    await balanceOf(fork, FIRST)
    await balanceOf(fork, SECOND)
  })
  const second = await record(async (fork) => {
    await balanceOf(fork, SECOND)
    await balanceOf(fork, FIRST)
  })
  expect(second.text).toBe(first.text)
  const lines = first.text?.split('\n') as string[]
  expect(lines[0]).toBe('tickchain recording 1')
  expect(lines[1]).toMatch(/^of chain 31337 block 1 0x[0-9a-f]{64} #[0-9a-f]{8}$/)
  expect(lines.slice(-2)).toEqual(['end', ''])
  const entries = lines.slice(2, -2)
  expect(entries).toEqual([...entries].sort())
  expect(entries.map((line) => line.split(' ')[0])).toEqual(
    expect.arrayContaining(['account', 'answer', 'code', 'slot']),
  )
})

test('a recording is the same whether slots of an account without any are read before or after it', async () => {
  const empty: Hex = `0x${'e1'.repeat(20)}`
  await chain.setCode(empty, '0x5f545f5260205ff3')
  await chain.mine(1)
  const slots = (fork: Emulator) => fork.prefetch([{ address: empty, slots: ['0x0', '0x1'] }])
  const first = await record(slots)
  const later = await record(async (fork) => {
    await ask(fork, 'eth_getBalance', empty, 'latest')
    await slots(fork)
  })
  expect(first.text).toBe(later.text)
  const replayed = await forkOf({ recording: first })
  expect(BigInt((await ask(replayed, 'eth_getStorageAt', empty, '0x1', 'latest')) as Hex)).toBe(0n)
})

test('a recording made again is the same', async () => {
  const file = await record()
  const before = file.text
  await work(await forkOf({ upstream: chain, recording: file, mode: 'record' }))
  expect(file.text).toBe(before)
})

test('tests that share a file add to it', async () => {
  const file = await record((fork) => balanceOf(fork, FIRST))
  await balanceOf(await forkOf({ upstream: chain, recording: file }), SECOND)
  await balanceOf(await forkOf({ upstream: chain, recording: file, mode: 'record' }), THIRD)
  const wire = wireTo(chain)
  const fork = await forkOf({ upstream: wire, recording: file })
  expect([await balanceOf(fork, FIRST), await balanceOf(fork, SECOND), await balanceOf(fork, THIRD)]).toEqual(
    [1000n, 0n, 0n],
  )
  expect(wire.asked).toEqual([])
})

test('forks of one process may write to an object at the same time', async () => {
  let text: string | undefined
  const slowly = () => new Promise<void>((resolve) => setImmediate(resolve))
  const file: RecordingFile = {
    async read() {
      const found = text
      await slowly()
      return found
    },
    async write(written) {
      await slowly()
      text = written
    },
  }
  const forks = await Promise.all([1, 2].map(() => forkOf({ upstream: chain, recording: file })))
  const account = (index: number, round: number): Hex => `0x${`${index}${round}`.repeat(20)}`
  for (const round of [0, 1]) {
    const reads = forks.map((fork, index) => ask(fork, 'eth_getBalance', account(index, round), 'latest'))
    await Promise.all(reads)
  }
  for (const index of [0, 1])
    for (const round of [0, 1]) expect(text).toContain(`account ${account(index, round)} `)
  await forkOf({ recording: file })
})

test('the lines of two recordings are one recording', async () => {
  const lines = async (who: Hex): Promise<string[]> =>
    ((await record((fork) => balanceOf(fork, who))).text as string).split('\n').slice(1, -2)
  const merged = [...new Set([...(await lines(FIRST)), ...(await lines(SECOND))])]
  const [of, ...entries] = merged
  const file = textFile(['tickchain recording 1', of, ...entries, 'end', ''].join('\n'))
  const fork = await forkOf({ recording: file })
  expect(await balanceOf(fork, FIRST)).toBe(1000n)
  expect(await balanceOf(fork, SECOND)).toBe(0n)
})

test('a replay names what is missing', async () => {
  const file = await record((fork) => balanceOf(fork, FIRST))
  const fork = await forkOf({ recording: file })
  const missing = async (method: string, ...params: readonly unknown[]): Promise<string> => {
    const error = (await ask(fork, method, ...params).catch((thrown) => thrown)) as Error & { kind: string }
    expect(error.kind).toBe('notRecorded')
    return error.message
  }
  const end =
    " is not in the recording of the fork; a run with fork: { upstream, recording, mode: 'auto' } records it"
  expect(await missing('eth_getBalance', THIRD, 'latest')).toBe(`the account ${THIRD} at block 1${end}`)
  expect(await missing('eth_getStorageAt', token, '0x7', 'latest')).toBe(
    `the slot 0x${'0'.repeat(63)}7 of ${token} at block 1${end}`,
  )
  expect(await missing('eth_getBlockByNumber', '0x0', false)).toBe(
    `the answer to eth_getBlockByNumber("0x0", false) at block 1${end}`,
  )
  await expect(
    ask(fork, 'eth_sendTransaction', { from: SECOND, to: THIRD, value: '0x1' }),
  ).rejects.toMatchObject({
    kind: 'notRecorded',
  })
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x1')
})

test('a tag is resolved once', async () => {
  const file = await record((fork) => balanceOf(fork, FIRST))
  await chain.mine(3)
  const fork = await forkOf({ upstream: chain, block: 'latest', recording: file })
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x1')
})

test('a recording of another block or chain is refused, and stays', async () => {
  const file = await record((fork) => balanceOf(fork, FIRST))
  const { text } = file
  await chain.mine(3)
  await expect(forkOf({ upstream: chain, block: 3, recording: file })).rejects.toMatchObject({
    kind: 'invalidRecording',
    message: expect.stringMatching(
      /it is of block 1 of chain 31337, 0x\w+, and the fork of block 3 of chain 31337/,
    ),
  })
  const other = await createEmulator({ chainId: 5 })
  await other.mine(1)
  const fork = await forkOf({ upstream: other, recording: file })
  await expect(balanceOf(fork, SECOND)).rejects.toMatchObject({
    kind: 'invalidRecording',
    message: expect.stringMatching(
      /it is of block 1 of chain 31337, 0x\w+, and the fork of block 1 of chain 5/,
    ),
  })
  expect(file.text).toBe(text)
})

test('a damaged recording is refused, and stays', async () => {
  const { text } = await record()
  const whole = text as string
  const lines = whole.split('\n')
  const damaged: readonly (readonly [string, string])[] = [
    ['', 'its first line is not "tickchain recording 1"'],
    [whole.slice(0, -5), 'it was cut off: its last line is missing'],
    [lines.slice(0, 5).join('\n'), 'it was cut off: its last line is missing'],
    [whole.replace(/^(account \w+) \d+/m, '$1 77'), 'does not have the digest it should'],
    [whole.replace(/^of .*\n/m, ''), 'it does not say of which block it is'],
    [whole.replace(/^code .*\n/gm, ''), 'is missing'],
    [whole.replace('end\n', '<<<<<<< ours\nend\n'), 'does not have the digest it should'],
  ]
  for (const [content, reason] of damaged) {
    const file = textFile(content)
    await expect(forkOf({ upstream: chain, recording: file }), reason).rejects.toMatchObject({
      kind: 'invalidRecording',
      message: expect.stringContaining(reason),
    })
    expect(file.text).toBe(content)
    expect(file.writes).toBe(0)
  }
})

test('a recording with right digests and wrong entries is refused', async () => {
  const lineOf = (entry: string): string => `${entry} #${keccak256(stringToBytes(entry)).slice(2, 10)}`
  const recordingOf = (entry: string): string =>
    [
      'tickchain recording 1',
      lineOf(`of chain 31337 block 1 0x${'ab'.repeat(32)}`),
      lineOf(entry),
      'end',
      '',
    ].join('\n')
  const empty = keccak256('0x')
  for (const [entry, reason] of [
    [`account ${FIRST} x 1 ${empty} none`, `the account ${FIRST} has no nonce or balance`],
    [`account ${FIRST} 1 x ${empty} none`, `the account ${FIRST} has no nonce or balance`],
    [`account ${FIRST}`, `the account ${FIRST} has no nonce or balance`],
    ['acount x', 'it has an unknown entry, acount x'],
    ['answer {', 'JSON'],
    ['answer null', 'null'],
    [`node ${empty} 0x01`, `the node ${empty} has another hash`],
  ] as const) {
    const refused = expect(
      forkOf({ upstream: chain, recording: textFile(recordingOf(entry)) }),
      entry,
    ).rejects
    await refused.toMatchObject({ kind: 'invalidRecording', message: expect.stringContaining(reason) })
  }
  for (const read of [() => 5, () => null, () => ({})]) {
    const file = { ...textFile(), read } as unknown as RecordingFile
    await expect(forkOf({ upstream: chain, recording: file })).rejects.toMatchObject({
      kind: 'invalidRecording',
      message: expect.stringContaining('expected a text, got'),
    })
  }
})

test('a file that cannot be read or written is an error of the recording', async () => {
  const unreadable = { ...textFile(), read: () => Promise.reject(new Error('EACCES')) }
  await expect(forkOf({ upstream: chain, recording: unreadable })).rejects.toMatchObject({
    kind: 'invalidRecording',
    message: 'the recording of the fork cannot be used: Error: EACCES',
  })
  const full = {
    ...textFile(),
    write: () => {
      throw new Error('ENOSPC')
    },
  }
  await expect(forkOf({ upstream: chain, recording: full })).rejects.toMatchObject({
    kind: 'invalidRecording',
  })
  await expect(forkOf({ recording: textFile() })).rejects.toMatchObject({
    kind: 'invalidRecording',
    message:
      "the recording of the fork cannot be used: there is none; a run with fork: { upstream, recording, mode: 'auto' } makes it",
  })
  await expect(forkOf({ recording: { ...textFile(), name: 'test/forks/usdc.txt' } })).rejects.toThrow(
    'cannot be used: there is none at test/forks/usdc.txt; a run with',
  )
})

const NOBODY = { request: async (): Promise<unknown> => 0 }

test.each([
  [{}, 'fork.upstream'],
  [{ upstream: {} }, 'fork.upstream'],
  [{ upstream: NOBODY, recording: 7 }, 'fork.recording'],
  [{ upstream: NOBODY, mode: 'replay' }, 'fork.recording'],
  [{ recording: textFile(), mode: 'record' }, 'fork.upstream'],
  [{ upstream: NOBODY, block: 'pending' }, 'fork.block'],
  [{ upstream: NOBODY, blockNumber: 1 }, 'fork.blockNumber'],
])('the option %j is refused', async (fork, option) => {
  await expect(createEmulator({ fork: fork as ForkOptions })).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringContaining(`invalid option ${option}`),
  })
})

test('a path is refused as long as nobody knows paths', async () => {
  openPathsBy(undefined)
  try {
    await expect(forkOf({ upstream: NOBODY, recording: 'forks/usdc.txt' })).rejects.toMatchObject({
      kind: 'invalidOption',
      message:
        'invalid option fork.recording: expected recordingFile("forks/usdc.txt") of tickchain/recording, or an import of that for paths, got "forks/usdc.txt"',
    })
  } finally {
    openPathsBy(recordingFile)
  }
})
