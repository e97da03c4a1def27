// The ES module of hash-wasm, which has no declarations beside it. Node resolves the bare name to its UMD build, which
// takes five times as long to import and instantiate.

declare module 'hash-wasm/dist/index.esm.js' {
  export * from 'hash-wasm'
}
