// The chain that an explorer shows, as far as it needs it.

/** Answers a read of JSON-RPC. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Commands of the chain. */
export interface ChainCommands {
  advance(ms: number): Promise<unknown>
  next(): Promise<unknown>
  seal(): Promise<unknown>
  reorg(depth: number): Promise<unknown>
  /** Drops a pre-confirmed transaction. */
  drop(transactionHash: string): Promise<unknown>
  snapshot(): Promise<unknown>
  /** Goes to a snapshot, which stays valid. */
  revert(snapshot: unknown): Promise<unknown>
}

export type ControlName = keyof ChainCommands

/** A chain as an explorer sees it. */
export interface Source {
  readonly ask: Ask
  /** Calls the listener when the chain has changed, or may have; returns the function that ends it. */
  watch(listener: (what: 'changed' | 'maybe') => void): () => void
  readonly controls: ChainCommands
  /** The controls that it does not have, each with the reason. */
  missingControls(): Promise<ReadonlyMap<ControlName, string>>
}
