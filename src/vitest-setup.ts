// The setup file that `tickchain/vitest-config` and `tickchain/vitest-reporter` add to a test run. For the first, each
// emulator that a worker creates knows the contracts, and what runs on it is counted and handed over with the test
// file; for the second, the chains of a test that fails are handed over with it. A test that times out while it waits for a
// transaction is told of it. Nobody else imports it.

import { afterAll, afterEach, beforeEach, inject } from 'vitest'
import { setCreationDefaults } from './core/emulator/creation.ts'
import { keepWaits } from './core/rpc/events/stalled-waits.ts'
import { addUsage, recordUsage, usageToJson } from './tools/solidity/usage/usage.ts'
import { type WorkerContracts, workerContracts } from './tools/testing/reports/provided.ts'
import { keepRunningChains } from './tools/testing/reports/running-chains.ts'

/** The task of a test file, as far as it is used. */
interface FileTask {
  readonly file: { readonly meta: { tickchain?: unknown } }
}

const provided = inject('tickchain')

if (provided !== undefined) {
  let contracts: WorkerContracts | undefined
  const contractsHere = (): WorkerContracts => {
    contracts ??= workerContracts(provided)
    return contracts
  }
  const { probe, take } = recordUsage(() => contracts?.counted, provided)
  setCreationDefaults(() => {
    const { known, customErrors } = contractsHere()
    return { contracts: known, customErrors, probe }
  })
  // The suite is the first argument or the second, by the version of vitest, which reads the names of parameters.
  afterAll(function handOver() {
    // biome-ignore lint/complexity/noArguments: a rest parameter is refused by vitest 4.1
    const { meta } = ([...arguments] as FileTask[]).find((argument) => argument?.file !== undefined)
      ?.file ?? {
      meta: {},
    }
    const usage = take()
    // Of another copy of this file, if it was added twice.
    if (meta.tickchain !== undefined) addUsage(usage, meta.tickchain as never)
    meta.tickchain = usageToJson(usage)
  })
}

const waits = keepWaits()
// Before those that hand over the chains: what a test has waited for is an event of them.
afterEach(async ({ task }) => {
  if (task.result?.errors?.some(({ message }) => message.includes('timed out'))) await waits.tell()
  waits.forget()
})

const pages = inject('tickchainPages')

if (pages !== undefined) {
  const running = keepRunningChains()
  beforeEach(({ task }) => {
    running.begin(task)
  })
  afterEach(async ({ task }) => {
    const chains = running.chainsOf(task)
    running.end(task)
    // Of an earlier attempt.
    delete task.meta.tickchainPages
    const hasFailed = task.result?.state === 'fail'
    if (chains.length === 0 || (!hasFailed && !pages.passing)) return
    const { reportChains } = await import('./tools/testing/reports/report-test.ts')
    task.meta.tickchainPages = await reportChains(chains, task.result?.errors ?? [], task.file.filepath)
  })
}
