// @ts-check
// Installs the other emulators, and prints the Node that runs all of them. A program of its own, because a test that
// blocks for a minute loses its runner.

import { installPeers, installTevm } from '../../benchmarks/comparison/peers.js'

const node = installPeers(() => undefined)
installTevm(node)
process.stdout.write(node)
