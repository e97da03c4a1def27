// The flavor: which emulator (anvil, Hardhat, ganache) the control methods imitate where these differ.

/** The emulator whose result shapes, units and messages the control methods have. */
export type Flavor = 'anvil' | 'hardhat' | 'ganache'

export const FLAVORS = ['anvil', 'hardhat', 'ganache'] as const satisfies readonly Flavor[]

export function firstSnapshotId(flavor: Flavor): 0 | 1 {
  return flavor === 'anvil' ? 0 : 1
}
