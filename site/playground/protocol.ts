// Messages between the page and the worker in which a scene runs.

/** How a chain is named to the reader. */
export interface ShownChain {
  readonly index: number
  readonly name: string
}

/** A JSON-RPC error, or the text of any other. */
export interface Failure {
  readonly code: number | undefined
  readonly message: string
  readonly data: unknown
}

export type Level = 'log' | 'info' | 'debug' | 'warn' | 'error'

export type FromPage =
  | { readonly type: 'run'; readonly source: string }
  | {
      readonly type: 'request'
      readonly id: number
      readonly chain: number
      readonly method: string
      readonly params: unknown
    }

export type FromWorker =
  | { readonly type: 'printed'; readonly level: Level; readonly text: string }
  | { readonly type: 'chain'; readonly chain: ShownChain }
  | { readonly type: 'answer'; readonly id: number; readonly result: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly failure: Failure }
  | { readonly type: 'ended' }
  | {
      readonly type: 'failed'
      readonly text: string
      readonly isSyntax: boolean
      /** Of the scene, from 1. */
      readonly line: number | undefined
    }
