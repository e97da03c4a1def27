// Roles of B20 tokens, and scopes of their policies: where a token keeps the policy of each.

import { keccakOfText } from '../../primitives/crypto.ts'
import { type Hash, ZERO_HASH } from '../../primitives/hex.ts'

const HELD_ROLES = [
  ...(['MINT_ROLE', 'BURN_ROLE', 'BURN_BLOCKED_ROLE', 'PAUSE_ROLE', 'UNPAUSE_ROLE'] as const),
  ...(['METADATA_ROLE', 'OPERATOR_ROLE', 'SEIZE_ROLE'] as const),
]

export const ROLES = {
  DEFAULT_ADMIN_ROLE: ZERO_HASH,
  ...(Object.fromEntries(HELD_ROLES.map((name) => [name, keccakOfText(name)])) as Record<
    (typeof HELD_ROLES)[number],
    Hash
  >),
}

/** The place of a policy's id: offset of the word, and first bit. */
export interface Scope {
  readonly hash: Hash
  readonly offset: number
  readonly bit: number
  readonly since: number
}

function scope(name: string, offset: number, bit: number, since = 1): Scope {
  return { hash: keccakOfText(name), offset, bit, since }
}

export const POLICY_SCOPES = {
  TRANSFER_SENDER_POLICY: scope('TRANSFER_SENDER_POLICY', 9, 0),
  TRANSFER_RECEIVER_POLICY: scope('TRANSFER_RECEIVER_POLICY', 9, 64),
  TRANSFER_EXECUTOR_POLICY: scope('TRANSFER_EXECUTOR_POLICY', 9, 128),
  MINT_RECEIVER_POLICY: scope('MINT_RECEIVER_POLICY', 10, 0),
  SEIZE_EXEMPT_POLICY: scope('SEIZE_EXEMPT_POLICY', 14, 0, 2),
  SEIZE_RECEIVER_POLICY: scope('SEIZE_RECEIVER_POLICY', 14, 64, 2),
}
