// Execution of commands one by one, with the invariants checked after each.

import assert from 'node:assert/strict'
import type { NodeState } from '../../src/core/node/node-state.ts'
import type { Hash } from '../../src/core/primitives/hex.ts'
import type { RpcBlock } from '../../src/core/rpc/format/block.ts'
import type { EmulatorEvents, EmulatorOptions } from '../../src/index.ts'
import { type Command, isInternal, isReplacing, performGroup, type Session } from './commands.ts'
import { checkEdit, checkUnedited } from './edits.ts'
import { followFates, forgetDropped } from './fates.ts'
import { checkChain, createLedger, type Scene, type Signers, stateOf } from './invariants.ts'
import { rollupScene } from './rollup-invariants.ts'
import { copyStory, createStory, follow, type Story } from './story.ts'
import { isUnruly } from './world.ts'

export interface Inspector {
  /** Performs a group; returns the result of `performGroup`. */
  perform(group: readonly Command[]): Promise<string[]>
}

/** Knowledge of the checks besides the chain; a revert restores it, too. */
class Witness {
  story: Story = createStory()
  private readonly remembered = new Map<string, Story>()

  constructor() {
    this.remember('start')
  }

  private remember(name: string): void {
    this.remembered.set(name, copyStory(this.story))
  }

  private recall(name: string): void {
    const story = this.remembered.get(name)
    if (story !== undefined) this.story = copyStory(story)
  }

  /** Follows snapshots and reverts, which are alone in their groups. */
  goAlong(command: Command, outcome: string): void {
    if (outcome.startsWith('failed')) return
    switch (command.call) {
      case 'snapshot':
      case 'evm_snapshot':
      case 'dump':
        this.remember(`${command.name}`)
        break
      case 'revert':
      case 'load':
        this.recall(`${command.name}`)
        break
      case 'evm_revert':
        if (outcome === 'true') this.recall(`${command.name}`)
        break
      default:
        if (isReplacing(command)) this.recall('start')
    }
  }
}

/** The name of a control without the prefix of an emulator. */
function controlOf(command: Command): string {
  if (command.call === 'control') return command.name
  return command.call === 'request' ? command.method.replace(/^[a-z]+_/, '') : command.call
}

/** Whether a request may fail because of a fault, or throw the failure of its transaction. */
function mayFailAfterwards(command: Command, { settings, controls }: NodeState): boolean {
  if (command.call !== 'request') return false
  return controls.faults.length > 0 || (settings.automines && /send/i.test(command.method))
}

/** Commands after which the next block is the one that `pending` showed. */
const KEEPING = ['advance', 'jump', 'next', 'seal', 'sendRawTransaction', 'sendTransaction']

function headerOf({ number, parentHash, baseFeePerGas, mixHash, miner, gasLimit, extraData }: RpcBlock) {
  return { number, parentHash, baseFeePerGas, mixHash, miner, gasLimit, extraData }
}

export function createInspector(session: Session, options: EmulatorOptions, signers: Signers): Inspector {
  const { chain } = session
  const witness = new Witness()
  const ledger = createLedger(chain)
  const isShared = (options.blockTimeMs ?? 0) < 1000 || options.flavor === 'anvil'
  const scene: Scene = {
    signers,
    order: isUnruly(options.seed as number) ? 'unruly' : 'ruly',
    timestamps: isShared ? 'shared' : 'strict',
    rollup: rollupScene(options),
  }
  const unincluded: EmulatorEvents['unincludedTransaction'][] = []
  let isFollowed = false
  let shown: RpcBlock | undefined

  const checkAnnounced = async (command: Command, before: NodeState): Promise<void> => {
    if (shown === undefined || !KEEPING.includes(controlOf(command))) return
    // Transactions that are dropped at the seal may have been all of the block.
    if (before.controls.dropsAtSeal.size > 0) return
    const sealed = await chain.request('eth_getBlockByNumber', [shown.number as 'latest', false])
    if (sealed !== null) assert.deepEqual(headerOf(sealed), headerOf(shown), 'a block is as announced')
  }

  /** `isPooled` of an event has the value at the end of the command. */
  const checkTold = (command: Command, after: NodeState): void => {
    const told = unincluded.splice(0)
    // If time passes, a later block may take a returned transaction.
    if (KEEPING.includes(controlOf(command)) || /mine/i.test(controlOf(command))) return
    for (const { transactionHash, isPooled } of told) {
      assert.equal(after.pool.byHash.has(transactionHash), isPooled, `${transactionHash} waits as was told`)
    }
  }

  /** Checks the effects of a command. */
  const inspect = async (command: Command, outcome: string, before: NodeState): Promise<void> => {
    const after = stateOf(chain)
    checkTold(command, after)
    const { story } = witness
    const control = controlOf(command)
    const hasFailed = outcome.startsWith('failed')
    assert(!isInternal(outcome), `a mistake of the library: ${outcome}`)
    if (hasFailed && !mayFailAfterwards(command, before))
      assert(after === before, 'a failure changes nothing')
    const edit = 'edit' in command ? command.edit : undefined
    if (edit !== undefined && !hasFailed) await checkEdit(chain, before, after, edit, story)
    // A reorganisation may result in the same block without its edits.
    else if (!isReplacing(command) && control !== 'reorg') checkUnedited(before, after)
    const isTimeSet = control === 'setTime' || isReplacing(command)
    if (!isTimeSet) assert(after.nowMs >= before.nowMs, 'the clock does not go back')
    if (
      /^(dropTransaction|dropAllTransactions|clearPool|clearTxpool|removePoolTransactions)$/.test(control)
    ) {
      story.fates = forgetDropped(story.fates, before, after)
    }
    if (control === 'deposit' && !hasFailed) {
      const { hash } = JSON.parse(outcome) as { hash: Hash }
      story.deposits = new Set([...story.deposits, hash])
    }
    if (/^setNextBlockBaseFee/.test(control) && !hasFailed) {
      const { args, params } = command as { args?: readonly string[]; params?: readonly string[] }
      story.askedBaseFee = BigInt((args ?? params)?.[0] as string)
    }
    await checkAnnounced(command, before)
  }

  return {
    async perform(group) {
      if (!isFollowed) {
        follow(chain, () => witness.story)
        followFates(chain, () => witness.story, stateOf)
        chain.on('unincludedTransaction', (payload) => unincluded.push(payload))
        isFollowed = true
      }
      const answers: string[] = []
      const events: string[] = []
      for (const command of group) {
        const before = stateOf(chain)
        witness.story.isReorganising = false
        witness.story.hasBroken = false
        const [answer, ...rest] = await performGroup(session, [command], 'awaited')
        answers.push(answer as string)
        events.push(...rest.slice(0, -1))
        const outcome = (answer as string).slice(JSON.stringify(command).length + ' -> '.length)
        witness.goAlong(command, outcome)
        await inspect(command, outcome, before)
        shown = await checkChain(chain, ledger, witness.story, scene)
      }
      return [...answers, ...events, `now ${chain.now}`]
    },
  }
}
