// Whether `run` tells JavaScript of every opcode: false in the module for all executions. scripts/compile-interpreter.js
// compiles a second module with true, for executions whose steps are observed; assembly/noting.ts is its list of places.

export const STEPPING: bool = false
