// Codecs of block production and scheduling: production modes, orderings, delays, dropped transactions.

import type { Delay } from '../../node/faults/scheduling.ts'
import type { Production } from '../../node/node-state.ts'
import type { Returning } from '../../node/production/rerun.ts'
import { ORDERINGS, type Ordering } from '../../pool/select.ts'
import { boolean, oneOf } from './basic.ts'
import { type Codec, refuseValue } from './codec.ts'
import type { WholeNumbers } from './numbers.ts'
import { converted, or, recordCodec } from './object.ts'

export const production: Codec<Production, Production> = oneOf(['interval', 'auto', 'manual'])

export const ordering: Codec<Ordering, Ordering> = oneOf(ORDERINGS, 'ordering')

/** The fate of removed transactions: true returns them to the pool. */
export const returning: Codec<Returning, boolean> = converted(boolean, (isRepooled) =>
  isRepooled ? 'repool' : 'drop',
)

/** The fate of dropped transactions, and the time at which they are dropped. */
export const dropOptions = converted(
  recordCodec({ repool: or(returning, 'drop'), at: or(oneOf(['now', 'seal']), 'now') }),
  ({ repool, at }) => ({ returning: repool, at }),
)

export interface DelayWire<Wire> {
  readonly partials?: Wire
  readonly blocks?: Wire
  readonly untilMs?: Wire
}

/** The delay of a transaction: one of the three, or until it is released. */
export function delayOf<Wire>(numbers: WholeNumbers<Wire>): Codec<Delay, DelayWire<Wire>> {
  const fields = recordCodec({ partials: numbers(1), blocks: numbers(1), untilMs: numbers() })
  return {
    name: 'object with partials, blocks or untilMs',
    decode(value, path) {
      const delay = fields.decode(value, path)
      const given = Object.values(delay).filter((each) => each !== undefined)
      if (given.length > 1) refuseValue(path, 'one of partials, blocks and untilMs', value)
      return delay
    },
  }
}
