// Handlers of setters: they change the state without events and answer as the flavor does.

import { unchanged } from '../../node/events.ts'
import type { NodeConfig, NodeState } from '../../node/node-state.ts'
import type { Session } from '../session.ts'
import { acknowledge, acknowledgeEdit } from './flavor.ts'

type Change = (state: NodeState, config: NodeConfig) => NodeState | Promise<NodeState>

/** Changes the state without an event. */
export function change({ node }: Session, to: Change): Promise<undefined> {
  return node.execute(async (state) => unchanged(await to(state, node.config)))
}

/** Changes the state and answers as a control method. */
export async function acknowledged(session: Session, to: Change): Promise<true | null> {
  await change(session, to)
  return acknowledge(session.options.flavor)
}

/** Changes the state and answers as an account edit. */
export async function acknowledgedEdit(session: Session, to: Change): Promise<true | null> {
  await change(session, to)
  return acknowledgeEdit(session.options.flavor)
}
