// Whether `run` tells JavaScript of every opcode: false in the module for all executions. scripts/compile-interpreter.js
// compiles a second module with true, for executions whose steps are observed.

export const STEPPING: bool = false
