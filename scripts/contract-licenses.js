// @ts-check
// Licences of the contracts whose code is in generated modules (contracts/README.md).

import { readFileSync } from 'node:fs'

/** @typedef {import('./licenses.js').Bundled} Bundled */

/** @param {string} path from the root */
const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** The text of a licence without names in it. @param {string} name */
const text = (name) => read(`scripts/licenses/${name}.txt`).trim()

/** @param {string} holder */
function mit(holder) {
  return `MIT License

Copyright (c) ${holder}

${text('MIT-terms')}`
}

const OPENZEPPELIN = mit('2016-2022 zOS Global Limited and contributors')

/** The packages of contracts/package.json, by name; their sources are compiled into the code. @type {Record<string, Pick<Bundled, 'repository' | 'text'>>} */
const PACKAGES = {
  '@eth-optimism/contracts-bedrock': {
    repository: 'https://github.com/ethereum-optimism/optimism',
    text: mit('2022 Optimism'),
  },
  '@openzeppelin/contracts': {
    repository: 'https://github.com/OpenZeppelin/openzeppelin-contracts',
    text: OPENZEPPELIN,
  },
  '@openzeppelin/contracts-upgradeable': {
    repository: 'https://github.com/OpenZeppelin/openzeppelin-contracts-upgradeable',
    text: OPENZEPPELIN,
  },
  // The whole is under the AGPL; the libraries that are used are under the MIT licence, by their headers.
  '@rari-capital/solmate': {
    repository: 'https://github.com/Rari-Capital/solmate',
    text: mit('2021 Rari Capital'),
  },
  solady: { repository: 'https://github.com/Vectorized/solady', text: mit('2022 Solady.') },
}

/** Packages that compile, and are not in the code. */
const TOOLS = ['solc']

/** The packages, as contracts/package-lock.json has them. @returns {Bundled[]} */
export function contractPackages() {
  const { packages } = JSON.parse(read('contracts/package-lock.json'))
  const paths = Object.keys(packages[''].dependencies).filter((name) => !TOOLS.includes(name))
  return paths.map((path) => {
    const { name = path, version } = packages[`node_modules/${path}`]
    const known = PACKAGES[name]
    if (known === undefined) throw new Error(`contracts/ has ${name}, of which no licence is known`)
    return { name, version, license: 'MIT', ...known }
  })
}

/** Contracts by others that contracts-bedrock holds. @type {readonly Bundled[]} */
export const VENDORED = [
  {
    name: 'AddressAliasHelper (Offchain Labs)',
    version: '1.0',
    license: 'Apache-2.0',
    repository: 'https://github.com/OffchainLabs/arbitrum-classic',
    text: text('Apache-2.0'),
  },
  {
    name: 'WETH9 (Dapphub) and WETH98',
    version: '1.0',
    license: 'GPL-3.0-or-later',
    repository: 'https://github.com/ethereum-optimism/optimism/tree/develop/packages/contracts-bedrock',
    text: text('GPL-3.0'),
  },
  {
    name: 'EntryPoint and SenderCreator (account-abstraction)',
    version: '0.6.0',
    license: 'GPL-3.0-only',
    repository: 'https://github.com/eth-infinitism/account-abstraction/tree/v0.6.0',
    text: text('GPL-3.0'),
  },
  {
    name: 'Safe, SafeL2, MultiSend and MultiSendCallOnly',
    version: '1.3.0',
    license: 'LGPL-3.0-only',
    repository: 'https://github.com/safe-global/safe-smart-account/tree/v1.3.0',
    text: text('LGPL-3.0'),
  },
  {
    name: 'Permit2',
    version: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
    license: 'MIT',
    repository: 'https://github.com/Uniswap/permit2',
    text: mit('2022 Uniswap Labs'),
  },
  {
    name: 'Multicall3',
    version: '0xcA11bde05977b3631167028862bE2a173976CA11',
    license: 'MIT',
    repository: 'https://github.com/mds1/multicall',
    text: mit('2022 Matt Solomon'),
  },
  {
    name: 'Create2Deployer',
    version: '0x13b0D85CcB8bf860b6b79AF3029fCA081AE9beF2',
    license: 'MIT',
    repository: 'https://github.com/pcaversaccio/create2deployer',
    text: mit('2022 Pascal Marco Caversaccio'),
  },
  {
    name: 'EAS and SchemaRegistry',
    version: '1.4.0',
    license: 'MIT',
    repository: 'https://github.com/ethereum-attestation-service/eas-contracts',
    text: mit('2024 Ethereum Attestation Service'),
  },
  {
    name: 'LibKeccak',
    version: 'of contracts-bedrock 0.17.3',
    license: 'MIT',
    repository: 'https://github.com/ethereum-optimism/lib-keccak',
    text: mit('clabby'),
  },
]
