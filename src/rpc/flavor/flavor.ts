// Where the emulators that tests were written for disagree, the flavor says whose way it is.

/** Whose shapes, units and texts the control methods have. */
export type Flavor = 'anvil' | 'hardhat' | 'ganache'

export const FLAVORS = ['anvil', 'hardhat', 'ganache'] as const satisfies readonly Flavor[]

/** What a control answers that has nothing to say. */
export function acknowledge(flavor: Flavor): true | null {
  return flavor === 'hardhat' ? true : null
}

/** What an edit of an account answers; ganache's own edits say true. */
export function acknowledgeEdit(flavor: Flavor): true | null {
  return flavor === 'anvil' ? null : true
}

/** The number that the first snapshot has. */
export function firstSnapshotId(flavor: Flavor): 0 | 1 {
  return flavor === 'anvil' ? 0 : 1
}
