// Codecs of block production and scheduling: production modes, orderings, delays, dropped transactions.

import type { Delay } from '../../node/faults/scheduling.ts'
import type { Production } from '../../node/node-state.ts'
import type { Returning } from '../../node/production/rerun.ts'
import { ORDERINGS, type Ordering } from '../../pool/select.ts'
import { asFields, boolean, field, oneOf } from './basic.ts'
import { type Codec, refuseValue } from './codec.ts'
import type { WholeNumbers } from './numbers.ts'

export const production: Codec<Production, Production> = oneOf(['interval', 'auto', 'manual'])

export const ordering: Codec<Ordering, Ordering> = oneOf(ORDERINGS, 'ordering')

/** Whether removed transactions return to the pool. */
export const returning: Codec<Returning, boolean> = {
  name: boolean.name,
  decode: (value, path) => (boolean.decode(value, path) ? 'repool' : 'drop'),
}

export interface Drop {
  readonly returning: Returning
  readonly at: 'now' | 'seal'
}

/** What happens to dropped transactions, and when they are dropped. */
export const dropOptions: Codec<Drop, { repool?: boolean; at?: 'now' | 'seal' }> = {
  name: 'object with repool and at',
  decode(value, path) {
    const record = asFields(value, path, ['repool', 'at'])
    return {
      returning: field(record, 'repool', returning, path) ?? 'drop',
      at: field(record, 'at', oneOf(['now', 'seal']), path) ?? 'now',
    }
  },
}

export interface DelayWire<Wire> {
  readonly partials?: Wire
  readonly blocks?: Wire
  readonly untilMs?: Wire
}

/** How long a transaction is held back: one of the three, or until it is released. */
export function delayOf<Wire>(numbers: WholeNumbers<Wire>): Codec<Delay, DelayWire<Wire>> {
  return {
    name: 'object with partials, blocks or untilMs',
    decode(value, path) {
      const record = asFields(value, path, ['partials', 'blocks', 'untilMs'])
      const delay = {
        partials: field(record, 'partials', numbers(1), path),
        blocks: field(record, 'blocks', numbers(1), path),
        untilMs: field(record, 'untilMs', numbers(), path),
      }
      const given = Object.values(delay).filter((each) => each !== undefined)
      if (given.length > 1) refuseValue(path, 'one of partials, blocks and untilMs', value)
      return delay
    },
  }
}
