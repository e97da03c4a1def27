// The table of subscriptions: work is counted, because a closing connection must not pay for the others.

import { expect, test, vi } from 'vitest'
import {
  addSubscription,
  endSubscriptions,
  type Receiver,
  type SubscriptionTable,
} from '../../../../src/core/rpc/events/waits.ts'

test('ending the subscriptions of a receiver touches no other receiver', () => {
  const table: SubscriptionTable = { subscriptions: new Map(), idsOf: new Map(), lastId: 0 }
  const receivers = Array.from({ length: 100 }, (): Receiver => () => {})
  for (const receiver of [...receivers, ...receivers]) addSubscription(table, { kind: 'newHeads' }, receiver)
  const { subscriptions } = table
  const walks = ([Symbol.iterator, 'entries', 'keys', 'values', 'forEach'] as const).map((walk) =>
    vi.spyOn(subscriptions, walk),
  )
  const removals = vi.spyOn(subscriptions, 'delete')

  for (const receiver of receivers.slice(1)) endSubscriptions(table, receiver)

  expect(walks.flatMap(({ mock }) => mock.calls)).toEqual([])
  // Two of each of 99 receivers; the first receiver has the first id (0x1) and the 101st (0x65).
  expect(removals).toHaveBeenCalledTimes(198)
  expect([...subscriptions.keys()]).toEqual(['0x1', '0x65'])
})
