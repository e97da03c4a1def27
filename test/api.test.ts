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
    'AccountsOptions',
    'AdvanceOnPollOptions',
    'Amount',
    'AnnouncementTarget',
    'CoupleTimersOptions',
    'CoupledClock',
    'DropOptions',
    'Emulator',
    'EmulatorEvents',
    'EmulatorOptions',
    'ErrorKind',
    'FlashblockPayload',
    'GenesisAccount',
    'GenesisOptions',
    'ImportMarksOptions',
    'LimitOptions',
    'Provider',
    'ProviderInfo',
    'ReorgOptions',
    'RequestArguments',
    'RequestFunction',
    'RpcAnswer',
    'RpcReply',
    'Snapshot',
    'SubscriptionMessage',
    'Tick',
  ])
})

test('the properties of an emulator', async () => {
  expect(Object.keys(await tickchain.createEmulator()).sort()).toEqual([
    'advance',
    'clone',
    'dispose',
    'dropPreconfirmed',
    'exportBlocks',
    'fetch',
    'handle',
    'importBlocks',
    'jump',
    'next',
    'now',
    'on',
    'removeListener',
    'reorg',
    'request',
    'revert',
    'seal',
    'settings',
    'snapshot',
  ])
})

test('the version is that of package.json', () => {
  expect(VERSION).toBe(JSON.parse(read('package.json')).version)
})
