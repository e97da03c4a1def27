// The rollup stacks, by name.

import { OP_STACK } from './op/stack.ts'

export const STACKS = { [OP_STACK.name]: OP_STACK } as const

export const DEFAULT_STACK: StackName = OP_STACK.name

export type StackName = keyof typeof STACKS

export const STACK_NAMES = Object.keys(STACKS) as readonly StackName[]
