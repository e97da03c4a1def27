// @ts-check
// A console.sol with all overloads of Hardhat's, for sources that import it.

const TYPES = ['uint256', 'string memory', 'bool', 'address']
const MOST_PARAMETERS = 4

/** @param {number} length @returns {string[][]} */
function combinations(length) {
  return length === 0
    ? [[]]
    : combinations(length - 1).flatMap((types) => TYPES.map((type) => [...types, type]))
}

/** @param {string} name @param {string[]} types */
function overload(name, types) {
  const parameters = types.map((type, index) => `${type} p${index}`).join(', ')
  const signature = `log(${types.map((type) => type.replace(/ .*/, '')).join(',')})`
  const values = types.map((_, index) => `, p${index}`).join('')
  return `function ${name}(${parameters}) internal view { send(abi.encodeWithSignature("${signature}"${values})); }`
}

/** The source, for solc 0.5 and later. */
export function consoleLibrary() {
  const counts = Array.from({ length: MOST_PARAMETERS + 1 }, (_, count) => count)
  const logs = counts.flatMap(combinations).map((types) => overload('log', types))
  const named = ['int256', 'uint256', 'string memory', 'bool', 'address', 'bytes memory'].map((type) => {
    const word = type.replace(/256| memory/, '')
    return overload(`log${word.slice(0, 1).toUpperCase()}${word.slice(1)}`, [type])
  })
  const fixed = Array.from({ length: 32 }, (_, index) =>
    overload(`logBytes${index + 1}`, [`bytes${index + 1}`]),
  )
  return `pragma solidity >=0.5.0;
library console {
  function send(bytes memory payload) private view {
    uint256 length = payload.length;
    assembly {
      let ignored := staticcall(gas(), 0x000000000000000000636F6e736F6c652e6c6f67, add(payload, 32), length, 0, 0)
    }
  }
  ${[...logs, ...named, ...fixed].join('\n  ')}
}
`
}
