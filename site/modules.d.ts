// Modules that bundlers make: the examples as text, of scripts/bundle-playground.js, and style sheets.

declare module 'virtual:examples' {
  export interface Example {
    /** In links. */
    readonly name: string
    /** The first line of its source. */
    readonly title: string
    readonly source: string
  }

  /** In their order. */
  export const examples: readonly Example[]
  /** The source of the module that examples import contracts from. */
  export const contracts: string
}

declare module '*.css'
