// What the package exports. A name that is added or taken away here is a change for the changelog.
import { expect, test } from 'vitest'
import * as tickchain from '../src/index.ts'
import { VERSION } from '../src/rpc/version.ts'
import { read } from './tidy/repository.ts'

test('the exported values', () => {
  expect(Object.keys(tickchain).sort()).toEqual([
    'TickchainError',
    'advanceOnPoll',
    'announceProvider',
    'coupleTimers',
    'createEmulator',
  ])
})

/** The names behind `type` in the export lists of a module's source. */
function exportedTypes(source: string): string[] {
  return [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, isTypeList, list = '']) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && (isTypeList !== undefined || name.startsWith('type ')))
      .map((name) => name.replace(/^type /, '')),
  )
}

test('the exported types', () => {
  expect(exportedTypes(read('src/index.ts')).sort()).toEqual([
    'Abi',
    'AbiSource',
    'AbiValue',
    'AccountControls',
    'AccountOptions',
    'AccountsOptions',
    'AdvanceOnPollOptions',
    'AllowanceOptions',
    'Amount',
    'AnnouncementTarget',
    'Candidate',
    'ChainControls',
    'ConsoleLog',
    'ConsoleSource',
    'CoupleTimersOptions',
    'CoupledClock',
    'DealOptions',
    'DelayOptions',
    'Diagnostics',
    'DropOptions',
    'Emulator',
    'EmulatorEvents',
    'EmulatorOptions',
    'ErrorKind',
    'Fault',
    'FaultControls',
    'FaultOptions',
    'FlashblockPayload',
    'GenesisAccount',
    'GenesisOptions',
    'ImportMarksOptions',
    'LimitOptions',
    'MineOptions',
    'MiningControls',
    'PartialPlan',
    'Provider',
    'ProviderInfo',
    'ReorgOptions',
    'RequestArguments',
    'RequestFunction',
    'Revert',
    'RollbackOptions',
    'RpcAnswer',
    'RpcReply',
    'Scheduler',
    'Snapshot',
    'SubscriptionMessage',
    'Tick',
    'TimeControls',
    'TransactionOutcome',
  ])
})

test('the properties of an emulator', async () => {
  expect(Object.keys(await tickchain.createEmulator()).sort()).toEqual([
    'addBalance',
    'advance',
    'clearFaults',
    'clearPool',
    'clone',
    'deal',
    'delayTransaction',
    'dispose',
    'dropPreconfirmed',
    'dropTransaction',
    'dump',
    'exportBlocks',
    'fault',
    'fetch',
    'handle',
    'impersonate',
    'impersonateSignature',
    'importBlocks',
    'increaseTime',
    'jump',
    'load',
    'mine',
    'next',
    'now',
    'on',
    'outcome',
    'registerAbi',
    'releaseTransaction',
    'removeBlockTimestampInterval',
    'removeListener',
    'reorg',
    'request',
    'reset',
    'revert',
    'rollback',
    'seal',
    'setAllowance',
    'setAutomine',
    'setBalance',
    'setBlockGasLimit',
    'setBlockTimestampInterval',
    'setChainId',
    'setCode',
    'setCoinbase',
    'setIntervalMining',
    'setNextBlockBaseFee',
    'setNextBlockPrevRandao',
    'setNextBlockTimestamp',
    'setNonce',
    'setOrdering',
    'setPoolLimit',
    'setProduction',
    'setScheduler',
    'setStorageAt',
    'setTime',
    'settings',
    'snapshot',
    'stopImpersonating',
  ])
})

test('the version is that of package.json', () => {
  expect(VERSION).toBe(JSON.parse(read('package.json')).version)
})
