// @ts-check
// A chain that tells the stack trace of each transaction, as Hardhat's cases describe it. The caller passes the modules
// of the emulator, built or not.

/**
 * @typedef {import('./stack-traces.js').Frame} Frame
 * @typedef {import('./stack-traces.js').StartChain} StartChain
 * @typedef {{
 *   createEmulator: any, internalsOf: any, requireBlock: any, replayTransactions: any, readAccount: any, decodeRevert: any,
 *   readContracts: any, contractIndex: any, recordFailurePath: any, stackTraceOf: any,
 * }} Modules
 */

/** Kinds whose name in Hardhat is not theirs in capitals. */
const TYPES = new Map([
  ['unmappedRevertError', 'UNMAPPED_SOLC_0_6_3_REVERT_ERROR'],
  ['panicError', 'PANIC_ERROR'],
])
/** Hardhat's runs leave contracts with this name out of what they know. */
const UNKNOWN = 'Ignored'

/** @param {string} kind */
function typeOf(kind) {
  return TYPES.get(kind) ?? kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** @param {any} entry @param {Modules['decodeRevert']} decodeRevert @returns {Frame} */
function frameOf(entry, decodeRevert) {
  const { kind, source, returnData, message, value, code } = entry
  const reason = returnData === undefined ? undefined : decodeRevert(returnData)
  return {
    type: typeOf(kind),
    ...(source === undefined ? {} : { sourceReference: { ...source, file: source.file } }),
    message: message ?? (reason?.type === 'text' ? reason.text : ''),
    ...(value === undefined ? {} : { value: `${value}` }),
    ...(code === undefined ? {} : { errorCode: code.toString(16) }),
  }
}

/** @param {Modules} modules @param {'wasm' | 'reference'} interpreter @returns {StartChain} */
export function tracedChains(modules, interpreter) {
  const { createEmulator, internalsOf, requireBlock, replayTransactions, readAccount, decodeRevert } = modules
  const { readContracts, contractIndex, recordFailurePath, stackTraceOf } = modules
  return async (compilation) => {
    const chain = await createEmulator({
      ...{ interpreter, chainId: 1, hardfork: 'cancun', production: 'auto' },
      genesis: { gasLimit: 10_000_000, baseFeePerGas: 0 },
    })
    const known = readContracts(compilation).filter(
      (/** @type {{ name: string }} */ { name }) => !name.startsWith(UNKNOWN),
    )
    const index = contractIndex(known)
    const [from] = await chain.request({ method: 'eth_accounts' })
    const { node } = internalsOf('trace', chain).session
    return {
      async send(transaction) {
        const fees = { gasPrice: '0xa' }
        const params = [{ from, ...transaction, ...fees }]
        const hash = await chain.request({ method: 'eth_sendTransaction', params })
        const { status, contractAddress, blockNumber } = await chain.request({
          method: 'eth_getTransactionReceipt',
          params: [hash],
        })
        const { consoleLogs } = await chain.outcome(hash)
        const view = requireBlock(node.state, Number(blockNumber))
        const recorder = recordFailurePath()
        await replayTransactions(node.state, view, { from: 0, to: 1 }, () => ({
          observer: recorder.observer,
        }))
        const codeAt = (/** @type {string} */ address) => readAccount(view.state, address).code.bytes
        const entries = stackTraceOf(recorder.frame(codeAt), index)
        return {
          isSuccess: status === '0x1',
          contractAddress,
          consoleLogs: consoleLogs.map((/** @type {{ message: string }} */ { message }) => message),
          frames: entries.map((/** @type {any} */ entry) => frameOf(entry, decodeRevert)),
        }
      },
    }
  }
}
