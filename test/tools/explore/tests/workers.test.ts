// Workers of Solidity tests that end before they should. workers.deep.test.ts has those that run tests.
import { expect, test } from 'vitest'
import { runInWorkers } from '../../../../src/solidity-workers.ts'
import { readSettings } from '../../../../src/tools/explore/tests/settings.ts'

/** An entry whose workers end in the middle of a file with a name, and pass all others. */
const ENTRY = `data:text/javascript,${encodeURIComponent(`
import { parentPort, workerData } from 'node:worker_threads'
export async function runShare() {
  const { names, next } = workerData
  for (let file; (file = names[Atomics.add(next, 0, 1)]) !== undefined; ) {
    parentPort.postMessage({ begun: file })
    // Messages go out before it ends.
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (file.startsWith('Thrown')) throw new Error('out of luck')
    parentPort.postMessage({ file, results: [{ file, contract: 'X', test: 'test()', status: 'passed', logs: [] }] })
  }
}`)}`

function projectOf(files: readonly string[]) {
  const test = { type: 'function', name: 'test', inputs: [], outputs: [], stateMutability: 'nonpayable' }
  const artifacts = files.map((file) => ({
    ...{ file, name: 'X', abi: [test], code: '60015ff3', deployedCode: '00', source: undefined },
    ...{ links: [], deployedLinks: [] },
  }))
  return { artifacts, settings: readSettings(undefined).settings, kept: new Map(), explained: () => [] }
}

test('a worker that ends is the failure of its file, and what is left runs without it', {
  tags: 'gate',
}, async () => {
  const told: unknown[] = []
  const project = projectOf(['A.t.sol', 'Thrown.t.sol', 'Z.t.sol'])
  await runInWorkers(ENTRY, project as never, {}, 1, ({ file, test: name, status, reason }) =>
    told.push([file, name, status, reason]),
  )
  expect(told).toEqual([
    ['A.t.sol', 'test()', 'passed', undefined],
    ['Thrown.t.sol', '', 'failed', 'its worker has ended: Error: out of luck'],
    // By its code, STOP, in this thread.
    ['Z.t.sol', 'test()', 'passed', undefined],
  ])
})

test('what cannot be sent to a worker is refused, and an error of the caller is its own', async () => {
  const project = projectOf(['A.t.sol'])
  const chain = { now: () => 0 } as never
  await expect(runInWorkers(ENTRY, project as never, { chain }, 2, () => {})).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringContaining('cannot be sent to a worker'),
  })
  const tell = (): never => {
    throw new Error('mine')
  }
  await expect(runInWorkers(ENTRY, project as never, {}, 2, tell)).rejects.toThrow('mine')
})
