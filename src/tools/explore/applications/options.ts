// Options of exploring, decoded; a misspelt one is refused.

import { type Arbitrary, constant, constantFrom, nat, oneof, record } from 'fast-check'
import { decodeOptions, option, refuseOption } from '../../../core/emulator/checks.ts'
import { arrayOf, asRecord, oneOf } from '../../../core/rpc/codecs/basic.ts'
import { numberFrom } from '../../../core/rpc/codecs/codec.ts'
import { aFunction, fieldsOf, functionsByName, partOptionsOf, runBudgetOf, seed } from '../option-names.ts'
import type { DrawnStep } from './player.ts'
import { ADVERSARY_KINDS, type AdversaryKind, type AnyScene } from './scene.ts'
import type { Stage } from './stage.ts'

const kinds = arrayOf(oneOf(ADVERSARY_KINDS))

/** Decodes the options that all ways share; throws `invalidOption`. */
export function planOf(call: 'explore' | 'exploreAll' | 'replay', stage: Stage, options: unknown) {
  return decodeOptions(() => {
    const fields = fieldsOf<'explore' | 'exploreAll'>(call, options)
    for (const name of ['run', 'invariants'] as const) functionsByName.decode(fields[name], name)
    option(fields, 'eventually', functionsByName, undefined)
    option(fields, 'world', aFunction, undefined)
    const adversary: readonly AdversaryKind[] = option(fields, 'adversary', kinds, [])
    if (stage.rollup === undefined && adversary.includes('l1Reorgs'))
      refuseOption('adversary', 'l1Reorgs only on a pair of createRollup', 'l1Reorgs')
    return {
      ...partOptionsOf(fields),
      scene: options as AnyScene,
      adversary: [...new Set(adversary)],
      reorgDepth: option(fields, 'reorgDepth', numberFrom(1, 1000), 3),
    }
  })
}

export type SearchPlan = ReturnType<typeof searchPlanOf>

/** Events are positions among those that are possible; more than there are wrap around. */
const MOST_PICK = 255

function stepsOf(
  actions: Readonly<Record<string, Arbitrary<unknown>>>,
  adversary: readonly AdversaryKind[],
): Arbitrary<DrawnStep> {
  const plain = { noNullPrototype: true } as const
  const taken: Arbitrary<DrawnStep>[] = Object.entries(actions).map(([action, values]) =>
    record({ action: constant(action), values }, plain),
  )
  const time: Arbitrary<DrawnStep> = record({ wait: constantFrom('partial', 'block') }, plain)
  const event = { among: constant(adversary), turn: nat(MOST_PICK), pick: nat(MOST_PICK) }
  // As many actions as waits and events, whatever the number of kinds of each.
  return oneof(
    ...(taken.length === 0 ? [] : [{ arbitrary: oneof(...taken), weight: 2 }]),
    { arbitrary: time, weight: 2 },
    ...(adversary.length === 0 ? [] : [{ arbitrary: record(event, plain), weight: 2 }]),
  )
}

/** Decodes the options of `explore`; throws `invalidOption`. */
export function searchPlanOf(stage: Stage, options: unknown) {
  const plan = planOf('explore', stage, options)
  return decodeOptions(() => {
    const fields = fieldsOf('explore', options)
    const actions = asRecord(fields.actions, 'actions', 'arbitraries by the names of actions')
    for (const name of new Set([...Object.keys(plan.scene.run), ...Object.keys(actions)])) {
      const arbitrary = Object.hasOwn(actions, name) ? actions[name] : undefined
      const isArbitrary = typeof (arbitrary as { generate?: unknown } | null)?.generate === 'function'
      if (!isArbitrary) refuseOption(`actions.${name}`, 'an arbitrary of fast-check', arbitrary)
      if (!Object.hasOwn(plan.scene.run, name)) refuseOption(`run.${name}`, 'a function', undefined)
    }
    const depth = option(fields, 'depth', numberFrom(1, 10_000), 20)
    const budget = runBudgetOf(fields)
    const { index, of } = plan.shard
    return {
      ...plan,
      ...budget,
      depth,
      /** Those of the shard, if there is an end of them. */
      ownRuns: budget.runs === Infinity ? undefined : Math.ceil((budget.runs - index) / of),
      seed: option(fields, 'seed', seed, 0),
      shrinks: option(fields, 'shrinks', numberFrom(0), 500),
      step: stepsOf(actions as Record<string, Arbitrary<unknown>>, plan.adversary),
    }
  })
}

export type FullPlan = ReturnType<typeof fullPlanOf>

function checkScriptStep({ run }: AnyScene, step: unknown, path: string): DrawnStep {
  const { action, wait } = asRecord(step, path)
  const isAction = typeof action === 'string' && Object.hasOwn(run, action)
  if (typeof action === 'string' && !isAction)
    refuseOption(`${path}.action`, `an action of run (${Object.keys(run).join(', ')})`, action)
  if (!isAction && wait !== 'partial' && wait !== 'block')
    refuseOption(path, "an action of run with its values, or { wait: 'partial' } or { wait: 'block' }", step)
  return step as DrawnStep
}

/** Decodes the options of `exploreAll`; throws `invalidOption`. */
export function fullPlanOf(stage: Stage, options: unknown) {
  const plan = planOf('exploreAll', stage, options)
  return decodeOptions(() => {
    const fields = fieldsOf('exploreAll', options)
    option(fields, 'digest', aFunction, undefined)
    if (!Array.isArray(fields.script)) refuseOption('script', 'an array of steps', fields.script)
    const script = (fields.script as readonly unknown[]).map((step, index) =>
      checkScriptStep(plan.scene, step, `script[${index}]`),
    )
    return {
      ...plan,
      script,
      events: option(fields, 'events', numberFrom(0, 100), 1),
      states: option(fields, 'states', numberFrom(1), 100_000),
      digest: fields.digest as ((world: never) => string) | undefined,
    }
  })
}
