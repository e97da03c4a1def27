// Modules that bundlers make: the examples as text and members of types, of scripts/bundle-playground.js, and style sheets.

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

declare module 'virtual:completions' {
  /** A member of a type, as CodeMirror completes it. */
  interface Member {
    readonly label: string
    readonly type: 'method' | 'property'
    readonly detail: string
    readonly info: string
  }

  export const members: Readonly<Record<'Emulator' | 'Rollup', readonly Member[]>>
}

declare module '*.css'
