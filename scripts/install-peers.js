// Installs the emulators that tests and benchmarks compare with: `npm run peers`. Without it, the first of them does.
// Nothing of the project's own dependencies is needed, so that both can be installed at once.

import { installPeers } from '../benchmarks/comparison/peers.js'

installPeers((text) => process.stderr.write(`${text}\n`))
