// What connections answer under each setting of a network, as JSON in the file FACTS: compared between Hardhat's chain
// and tickchain.
import { writeFileSync } from 'node:fs'
import { artifacts, network } from 'hardhat'
import type { NetworkConnectionParams } from 'hardhat/types/network'
import type { EthereumProvider } from 'hardhat/types/providers'
import { encodeDeployData, encodeFunctionData, type Hex, toHex } from 'viem'

const BOB = '0x00000000000000000000000000000000000000b0'

type Ask = (method: string, ...params: unknown[]) => Promise<any>
type Case = readonly [
  name: string,
  params: NetworkConnectionParams,
  facts: (scene: Scene) => Promise<unknown>,
]

interface Scene {
  readonly provider: EthereumProvider
  readonly ask: Ask
  /** The error of a request, as far as a test can see it. */
  readonly failure: Ask
  readonly deploy: (name: string, ...args: unknown[]) => Promise<Hex>
  readonly send: (name: string, to: Hex, call: string, ...args: unknown[]) => Promise<any>
}

/** What a test sees of an error: paths of this machine and lines of JavaScript left out. */
function shown(error: any): unknown {
  const lines = `${error.stack}`.split('\n').filter((line) => /\(contracts\/|\(unknown/.test(line))
  const { name, code } = error
  // Hardhat's parser says where in the text of the request.
  const message = `${error.message}`.replace(/ at line 1 column \d+$/, '')
  // Hardhat's own data of other errors repeats the request.
  const data = typeof error.data === 'string' ? error.data : undefined
  return { name, message, code, data, lines: lines.map((line) => line.trim()) }
}

function sceneOf(provider: EthereumProvider): Scene {
  const ask: Ask = (method, ...params) => provider.request({ method, params })
  const failure: Ask = (method, ...params) => ask(method, ...params).then((result) => ({ result }), shown)
  const abiOf = async (name: string) => artifacts.readArtifact(name)
  return {
    provider,
    ask,
    failure,
    async deploy(name, ...args) {
      const { abi, bytecode } = await abiOf(name)
      const hash = await ask('eth_sendTransaction', {
        data: encodeDeployData({ abi, bytecode: bytecode as Hex, args } as never),
      })
      return (await ask('eth_getTransactionReceipt', hash)).contractAddress
    },
    async send(name, to, call, ...args) {
      const { abi } = await abiOf(name)
      const data = encodeFunctionData({ abi, functionName: call, args } as never)
      return failure('eth_sendTransaction', { to, data })
    },
  }
}

const edr = <Override extends object>(override: Override): NetworkConnectionParams =>
  ({ override }) as NetworkConnectionParams

async function balances({ ask }: Scene): Promise<unknown> {
  const accounts: string[] = await ask('eth_accounts')
  const first = accounts.slice(0, 3)
  const held = await Promise.all(first.map((account) => ask('eth_getBalance', account, 'latest')))
  return { count: accounts.length, first, held }
}

async function head({ ask }: Scene, tag = 'latest'): Promise<unknown> {
  const block = await ask('eth_getBlockByNumber', tag, false)
  // The rest follows from the time and from randomness. Hardhat's genesis has the root of something else.
  const { number, nonce, difficulty, extraData, gasLimit, gasUsed, miner, baseFeePerGas, transactions } =
    block
  return { number, nonce, difficulty, extraData, gasLimit, gasUsed, miner, baseFeePerGas, transactions }
}

/** The transaction that a request of only a recipient becomes. */
async function sent({ ask }: Scene, more: object = {}): Promise<unknown> {
  const hash = await ask('eth_sendTransaction', { to: BOB, ...more })
  const { from, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, type, chainId, nonce } = await ask(
    'eth_getTransactionByHash',
    hash,
  )
  return { from, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, type, chainId, nonce }
}

/** The order in which a block has transactions of three accounts with rising tips. */
async function order({ ask }: Scene): Promise<unknown> {
  const accounts: string[] = await ask('eth_accounts')
  const hashes: string[] = []
  for (const [index, from] of accounts.slice(0, 3).entries()) {
    const tip = toHex(10n ** 9n * BigInt(index + 1))
    const fees = { maxFeePerGas: toHex(10n ** 11n), maxPriorityFeePerGas: tip }
    hashes.push(await ask('eth_sendTransaction', { from, to: BOB, gas: '0x5208', ...fees }))
  }
  const waiting = (await ask('eth_pendingTransactions')).length
  await ask('hardhat_mine')
  const { transactions } = await ask('eth_getBlockByNumber', 'latest', false)
  return { waiting, order: transactions.map((hash: string) => hashes.indexOf(hash)) }
}

const HARDFORKS = [
  ...['byzantium', 'constantinople', 'petersburg', 'istanbul', 'muirGlacier', 'berlin', 'london'],
  ...['arrowGlacier', 'grayGlacier', 'merge', 'shanghai', 'cancun', 'prague', 'osaka'],
]

const KEY = '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a'
const SAID: string[] = []

const CASES: readonly Case[] = [
  [
    'defaults',
    {},
    async (scene) => ({ accounts: await balances(scene), sent: await sent(scene), head: await head(scene) }),
  ],
  ['accounts: count', edr({ accounts: { count: 3 } }), balances],
  [
    'accounts: all of a mnemonic',
    edr({
      accounts: {
        mnemonic: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
        passphrase: 'word',
        path: "m/44'/60'/1'",
        initialIndex: 4,
        count: 2,
        accountsBalance: '1234567',
      },
    }),
    balances,
  ],
  ['accounts: an index', edr({ accounts: { initialIndex: 18, count: 3 } }), balances],
  ['accounts: keys', edr({ accounts: [{ privateKey: KEY, balance: '77' }] }), balances],
  ['chainId', edr({ chainId: 5 }), async ({ ask }) => [await ask('eth_chainId'), await ask('net_version')]],
  [
    'networkId',
    edr({ networkId: 9 }),
    async ({ ask }) => [await ask('eth_chainId'), await ask('net_version')],
  ],
  [
    'blockGasLimit',
    edr({ blockGasLimit: 5_000_000 }),
    async (scene) => {
      const { failure } = scene
      const over = await failure('eth_sendTransaction', { to: BOB, gas: toHex(5_000_001) })
      return { over, sent: await sent(scene), head: await head(scene) }
    },
  ],
  [
    'blockGasLimit: false',
    edr({ blockGasLimit: false, transactionGasCap: false }),
    async ({ failure }) =>
      'result' in (await failure('eth_sendTransaction', { to: BOB, gas: toHex(100_000_000) })),
  ],
  [
    'transactionGasCap',
    edr({ transactionGasCap: 100_000 }),
    async ({ failure }) => [
      await failure('eth_sendTransaction', { to: BOB, gas: toHex(100_001) }),
      'result' in (await failure('eth_sendTransaction', { to: BOB, gas: toHex(100_000) })),
    ],
  ],
  [
    'transactionGasCap: false',
    edr({ transactionGasCap: false }),
    async ({ failure }) =>
      'result' in (await failure('eth_sendTransaction', { to: BOB, gas: toHex(20_000_000) })),
  ],
  [
    'initialBaseFeePerGas',
    edr({ initialBaseFeePerGas: 7 }),
    async (scene) => {
      await scene.ask('hardhat_mine')
      return [await head(scene, '0x0'), await head(scene)]
    },
  ],
  [
    'coinbase',
    edr({ coinbase: BOB }),
    async (scene) => {
      await scene.ask('hardhat_mine')
      return head(scene)
    },
  ],
  [
    'initialDate',
    edr({ initialDate: '2020-02-02T02:02:02Z' }),
    async ({ ask }) => (await ask('eth_getBlockByNumber', '0x0', false)).timestamp,
  ],
  ['from', edr({ from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' }), sent],
  ['gas', edr({ gas: 123_456 }), sent],
  ['gasPrice', edr({ gasPrice: 3_000_000_000 }), sent],
  ['gasMultiplier', edr({ gasMultiplier: 1.5 }), sent],
  [
    'later fees',
    {},
    async (scene) => [
      await sent(scene),
      await sent(scene),
      await sent(scene, { maxFeePerGas: toHex(10n ** 10n) }),
    ],
  ],
  [
    'minGasPrice before london',
    edr({ minGasPrice: 5_000_000_000, hardfork: 'berlin' }),
    async ({ ask, failure }) => [
      await failure('eth_sendTransaction', { to: BOB, gas: '0x5208', gasPrice: toHex(4_000_000_000) }),
      kindOf(
        await failure('eth_sendTransaction', { to: BOB, gas: '0x5208', gasPrice: toHex(5_000_000_000) }),
      ),
      await ask('eth_gasPrice'),
    ],
  ],
  ['mining: manual, by fees', edr({ mining: { auto: false } }), order],
  ['mining: manual, in order', edr({ mining: { auto: false, mempool: { order: 'fifo' } } }), order],
  ['allowBlocksWithSameTimestamp', edr({ allowBlocksWithSameTimestamp: true }), sameTime],
  ['no blocks with the same timestamp', {}, sameTime],
  [
    'throwOnTransactionFailures',
    edr({ throwOnTransactionFailures: false }),
    async ({ ask, deploy, failure }) => {
      const to = await deploy('Bank')
      const data = encodeFunctionData({
        abi: (await artifacts.readArtifact('Bank')).abi,
        functionName: 'failWithText',
      } as never)
      const { result } = await failure('eth_sendTransaction', { to, data, gas: '0x186a0' })
      return { status: (await ask('eth_getTransactionReceipt', result)).status }
    },
  ],
  [
    'throwOnCallFailures',
    edr({ throwOnCallFailures: false }),
    async ({ deploy, failure }) => {
      const to = await deploy('Bank')
      const data = encodeFunctionData({
        abi: (await artifacts.readArtifact('Bank')).abi,
        functionName: 'failToRead',
      } as never)
      return failure('eth_call', { to, data })
    },
  ],
  ...[true, false].map(
    (allowed): Case => [
      `allowUnlimitedContractSize: ${allowed}`,
      edr({ allowUnlimitedContractSize: allowed }),
      // Deploys 30,000 zeros.
      ({ failure }) =>
        failure('eth_sendTransaction', { data: '0x6175305ff3', gas: toHex(8_000_000) }).then(kindOf),
    ],
  ),
  ...(['topLevelSuccess', 'noInternalOutOfGas'] as const).map(
    (gasEstimationMode): Case => [
      `gasEstimationMode: ${gasEstimationMode}`,
      edr({ gasEstimationMode }),
      async (scene) => {
        const { ask, deploy, failure } = scene
        const to = await deploy('Caller')
        const { abi } = await artifacts.readArtifact('Caller')
        const data = encodeFunctionData({ abi, functionName: 'survive' } as never)
        const estimate = await failure('eth_estimateGas', { to, data })
        const hash = await ask('eth_sendTransaction', { to, data })
        return { estimate, gas: (await ask('eth_getTransactionByHash', hash)).gas }
      },
    ],
  ),
  ...HARDFORKS.map(
    (hardfork): Case => [
      `hardfork: ${hardfork}`,
      edr({ hardfork }),
      async (scene) => {
        await scene.ask('hardhat_mine')
        // MCOPY, PUSH0, CLZ, and BASEFEE: their outcome tells the hardfork.
        const codes = ['0x6000600060005e00', '0x5f00', '0x60011e00', '0x4800', '0x60003500']
        const runs = await Promise.all(codes.map((data) => scene.failure('eth_call', { data }).then(kindOf)))
        const fields = Object.keys(await scene.ask('eth_getBlockByNumber', 'latest', false)).sort()
        return { head: await head(scene), fields, runs }
      },
    ],
  ),
  ...['bedrock', 'canyon', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus'].map(
    (hardfork): Case => [
      `chainType: op, ${hardfork}`,
      { chainType: 'op', override: { hardfork } } as NetworkConnectionParams,
      async ({ ask }) => {
        const hash = await ask('eth_sendTransaction', { to: BOB, value: '0x1' })
        const { status, type, l1Fee } = await ask('eth_getTransactionReceipt', hash)
        const contracts = ['15', '0f', '07', '10', '16'].map(
          (end) => `0x42000000000000000000000000000000000000${end}`,
        )
        const codes = await Promise.all(contracts.map((address) => ask('eth_getCode', address, 'latest')))
        return { status, type, hasL1Fee: l1Fee !== undefined, codes: codes.map((code) => code.length > 2) }
      },
    ],
  ),
  [
    'a failure in a block',
    {},
    async ({ ask, deploy, provider }) => {
      const to = await deploy('Bank')
      const { abi } = await artifacts.readArtifact('Bank')
      const data = encodeFunctionData({ abi, functionName: 'failWithText' } as never)
      const request = { method: 'eth_sendTransaction', params: [{ to, data, gas: '0x186a0' }] }
      const { transactionHash } = await provider.request(request).catch((error) => error)
      return (await ask('eth_getTransactionReceipt', transactionHash)).status
    },
  ],
  [
    'failures',
    {},
    async ({ deploy, send }) => {
      const bank = await deploy('Bank')
      const caller = await deploy('Caller')
      return [
        await send('Bank', bank, 'failWithText'),
        await send('Bank', bank, 'failWithError'),
        await send('Bank', bank, 'failWithPanic', 0n),
        await send('Bank', bank, 'failWithNothing'),
        await send('Bank', bank, 'failToPop'),
        await send('Caller', caller, 'countByNothing'),
        await send('Caller', caller, 'askNobody'),
      ]
    },
  ],
  [
    'failures of requests',
    {},
    async ({ failure }) => [
      await failure('eth_unheardOf'),
      await failure('eth_getBalance', 'nobody'),
      await failure('eth_sendTransaction', { from: BOB, to: BOB }),
      await failure('eth_sendTransaction', { to: BOB, value: toHex(10n ** 24n) }),
      await failure('eth_sendTransaction', { to: BOB, nonce: '0x99' }),
      await failure('eth_sendTransaction', { to: BOB, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }),
      await failure('evm_revert', '0x99'),
    ],
  ],
  [
    'console.log',
    {},
    async ({ deploy, send }) => {
      const bank = await deploy('Bank')
      await send('Bank', bank, 'say', 7n)
      return SAID.splice(0)
    },
  ],
  [
    'subscriptions',
    {},
    async ({ provider, ask }) => {
      const told: unknown[] = []
      provider.on('notification', ({ subscription }) => told.push(['notification', subscription]))
      provider.on('message', ({ type }) => told.push(['message', type]))
      const id = await ask('eth_subscribe', 'newHeads')
      await ask('hardhat_mine')
      await ask('eth_unsubscribe', id)
      return told
    },
  ],
]

function kindOf({ message, code }: { message?: string; code?: number }): unknown {
  return message === undefined ? 'done' : { message, code }
}

async function sameTime({ ask }: Scene): Promise<unknown> {
  const { timestamp } = await ask('eth_getBlockByNumber', 'latest', false)
  const same = await ask('evm_setNextBlockTimestamp', toHex(Number(timestamp))).then(
    () => ask('evm_mine').then(() => 'mined'),
    ({ message, code }) => ({ code, isTime: /timestamp/i.test(message) }),
  )
  return same
}

const { log } = console
console.log = (...texts: unknown[]) => {
  SAID.push(texts.join(' '))
}

const facts: Record<string, unknown> = {}
for (const [name, params, factsOf] of CASES) {
  SAID.length = 0
  try {
    const connection = await network.create(params as NetworkConnectionParams)
    facts[name] = await factsOf(sceneOf(connection.provider))
    await connection.close()
  } catch (error) {
    facts[name] = { thrown: shown(error) }
  }
}
console.log = log
writeFileSync(`${process.env['FACTS']}`, JSON.stringify(facts, null, 1))
