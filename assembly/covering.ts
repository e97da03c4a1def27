// Whether `run` notes the branches that code takes: false in the module for all executions. scripts/compile-interpreter.js
// compiles another module with true, for executions whose coverage is recorded; assembly/edges.ts has what it notes.

export const COVERING: bool = false
