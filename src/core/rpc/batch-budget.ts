// The budget of a batch: gas that its requests use, blocks that they seal and bytes that they answer, counted in their
// order. What has not begun when it is used up is refused.

import type { Command } from '../node/events.ts'
import type { Node } from '../node/node.ts'
import type { NodeState } from '../node/node-state.ts'
import { failure } from '../primitives/errors.ts'
import type { RpcLimits } from './options.ts'
import { nodeWith, type Session } from './session.ts'

/** The JSON of a value; `undefined` if it is longer than a string can be, which depends on the JavaScript engine. */
export function boundedJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? ''
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function heightOf({ chain }: NodeState): number {
  return chain.head.header.number
}

/** Makes the nodes that the handlers of a batch's requests see. */
function nodesOfBatch(node: Node, { batchGas, batchResponseBytes }: RpcLimits): () => Node {
  const used = { gas: 0n, blocks: 0, bytes: 0 }
  const { stepsPerCall } = node.config
  const config = Object.defineProperty({ ...node.config, meter: used }, 'stepsPerCall', {
    get: () => Math.max(0, stepsPerCall - used.blocks),
  })
  /** Settles when the reads so far have. What follows them waits, to find the same budget whatever the microtasks. */
  let reads: Promise<unknown> = Promise.resolve()
  /** Runs `run` once the reads before it have ended. On a fork it runs again after a miss, which costs nothing more. */
  const inOrder = <Given extends unknown[], Result>(run: (...given: Given) => Result | Promise<Result>) => {
    const before = reads
    let begun: typeof used | undefined
    return async (...given: Given): Promise<Result> => {
      await before
      begun ??= { ...used }
      Object.assign(used, begun)
      if (used.gas > batchGas) throw failure('batchTooExpensive', { gas: used.gas, most: batchGas })
      if (used.bytes > batchResponseBytes) throw failure('responseTooLarge')
      return run(...given)
    }
  }
  const read: Node['read'] = (use) => {
    const answered = node.read(
      inOrder(async (state, records) => {
        const answer = await use(state, records)
        used.bytes += boundedJson(answer)?.length ?? Number.POSITIVE_INFINITY
        return answer
      }),
    )
    reads = answered.catch(() => undefined)
    return answered
  }
  const execute = <Result>(command: Command<Result>): Promise<Result> =>
    node.execute(
      inOrder(async (state, records, commit) => {
        const outcome = await command(state, records, commit)
        used.blocks += Math.max(0, heightOf(outcome.state) - heightOf(state))
        return outcome
      }),
    )
  return () => {
    // A request that has begun is carried out to its end: only its first turn may be refused.
    let later: Node | undefined
    const turn = (): Pick<Node, 'read' | 'execute'> => {
      const own = later ?? { read, execute }
      later = node
      return own
    }
    return nodeWith(node, {
      config,
      read: (use) => turn().read(use),
      execute: (command) => turn().execute(command),
    })
  }
}

/** Makes the sessions of a batch's requests. */
export function sessionsOfBatch(session: Session): () => Session {
  const nextNode = nodesOfBatch(session.node, session.options.limits)
  return () => ({ ...session, node: nextNode() })
}
