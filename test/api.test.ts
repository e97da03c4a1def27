// Exported names of the package. Adding or removing one is a change for the changelog.

import * as exploring from 'tickchain/explore'
import * as matchers from 'tickchain/matchers'
import * as vitestModule from 'tickchain/vitest'
import { expect, test } from 'vitest'
import * as tickchain from '../src/index.ts'
import { VERSION } from '../src/rpc/node-info.ts'
import { read } from './tidy/repository.ts'

test('the exported values', () => {
  expect(Object.keys(tickchain).sort()).toEqual([
    'TickchainError',
    'advanceOnPoll',
    'announceProvider',
    'base',
    'coupleTimers',
    'createEmulator',
    'formatGasReport',
    'formatTrace',
    'recordGas',
    'recordTimeline',
  ])
})

test('the exported values of the modules for tests', () => {
  expect(Object.keys(vitestModule)).toEqual(['chainTest'])
  expect(Object.keys(matchers)).toEqual(['chainMatchers'])
  expect(Object.keys(exploring).sort()).toEqual(['explore', 'exploreAll', 'replay'])
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
    'BalanceChangeOptions',
    'CallTrace',
    'Candidate',
    'ChainControls',
    'ConsoleLog',
    'ConsoleSource',
    'ContractGas',
    'CoupleTimersOptions',
    'CoupledClock',
    'DealOptions',
    'DelayOptions',
    'DepositOptions',
    'Diagnostics',
    'DropOptions',
    'Eip1559Options',
    'Emulator',
    'EmulatorEvents',
    'EmulatorOptions',
    'ErrorKind',
    'Fault',
    'FaultControls',
    'FaultOptions',
    'FlashblockPayload',
    'FunctionGas',
    'GasRecording',
    'GasReport',
    'GasStatistics',
    'GenesisAccount',
    'GenesisOptions',
    'ImportMarksOptions',
    'L1Options',
    'LimitOptions',
    'MineOptions',
    'MinedBlock',
    'MiningControls',
    'NodeInfo',
    'PartialPlan',
    'Provider',
    'ProviderInfo',
    'ReorgOptions',
    'RequestArguments',
    'RequestFunction',
    'Revert',
    'RollbackOptions',
    'RollupControls',
    'RollupOptions',
    'RpcAnswer',
    'RpcReply',
    'Scheduler',
    'Snapshot',
    'StorageChange',
    'SubscriptionMessage',
    'SystemConfigOptions',
    'Tick',
    'TimeControls',
    'Timeline',
    'TimelineOptions',
    'TraceControls',
    'TraceFormat',
    'TraceOptions',
    'TracedCall',
    'TracedConsoleLog',
    'TracedError',
    'TracedEvent',
    'TracedValue',
    'TransactionOutcome',
    'UnlockOptions',
    'WalletControls',
  ])
})

test('the properties of an emulator', async () => {
  expect(Object.keys(await tickchain.createEmulator()).sort()).toEqual([
    'addAccount',
    'addBalance',
    'addContracts',
    'advance',
    'balanceChange',
    'clearFaults',
    'clearPool',
    'clone',
    'deal',
    'delayTransaction',
    'deposit',
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
    'importAccount',
    'importBlocks',
    'increaseTime',
    'jump',
    'label',
    'listAccounts',
    'load',
    'lockAccount',
    'mine',
    'mineDetailed',
    'newAccount',
    'next',
    'nodeInfo',
    'now',
    'on',
    'outcome',
    'registerAbi',
    'releaseTransaction',
    'removeAccount',
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
    'setExtraData',
    'setIntervalMining',
    'setMinGasPrice',
    'setMinimumTip',
    'setNextBlockBaseFee',
    'setNextBlockPrevRandao',
    'setNextBlockTimestamp',
    'setNonce',
    'setOrdering',
    'setPoolLimit',
    'setProduction',
    'setScheduler',
    'setStorageAt',
    'setSystemConfig',
    'setTime',
    'settings',
    'snapshot',
    'stopImpersonating',
    'trace',
    'unlockAccount',
  ])
})

test('the version is that of package.json', () => {
  expect(VERSION).toBe(JSON.parse(read('package.json')).version)
})
