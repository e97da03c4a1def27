// Contracts in the generated modules of src/: which, and where their code comes from. See contracts/README.md.

/** A contract to extract.
 * @typedef {object} Listed
 * @property {string} name in the generated module
 * @property {string} [artifact] of the package: the name of the contract, and of its file unless `file` says otherwise
 * @property {string} [file] name of the Solidity file, without its end
 * @property {string} [from] the package, if it is not the current release
 * @property {string} [own] a contract of contracts/src, which is compiled: its file and its name, with a colon between
 * @property {string} [preinstall] name of a constant in the library Preinstalls
 * @property {true} [creation] creation code in place of deployed code
 * @property {Record<string, number[]>} [immutables] their places, where no artifact tells them
 */

/** A generated module.
 * @typedef {object} Listing
 * @property {string} module from the root
 * @property {readonly Listed[]} contracts similar ones beside each other: that compresses best
 * @property {number} runs of the optimizer, for contracts of contracts/src
 * @property {string} [errors] a generated module with the custom errors of the contracts, from the root
 */

/** Contracts whose names in the module are theirs. @param {readonly string[]} names @returns {Listed[]} */
function named(...names) {
  return names.map((name) => ({ name, artifact: name }))
}

/** The last release without custom gas tokens, which later ones do not have either; the protocol's code of ecotone. */
const ECOTONE = 'contracts-bedrock-ecotone'

/**
 * Edits of sources that contracts/src inherits from, each of a text that stands there once.
 * @type {Readonly<Record<string, { readonly text: string, readonly replacement: string }>>}
 */
export const EDITS = {
  // Later releases raised the limit; there are chains beyond the old one.
  '@eth-optimism/contracts-bedrock/src/L1/SystemConfig.sol': {
    text: 'MAX_GAS_LIMIT = 200_000_000;',
    replacement: 'MAX_GAS_LIMIT = 500_000_000;',
  },
}

/** Errors of the layer 1's contracts that only assembly raises, so that no ABI has them. */
export const ERRORS_IN_ASSEMBLY = [
  { type: 'error', name: 'BadExtraData', inputs: [] },
  { type: 'error', name: 'ShaFailed', inputs: [] },
]

/** What the package's own contracts are optimized for; those that inherit from them cost the same gas. */
export const PACKAGE_RUNS = 999_999

/** @type {readonly Listed[]} */
const L1_CONTRACTS = [
  ...named('Proxy', 'ProxyAdmin', 'AddressManager', 'ResolvedDelegateProxy', 'L1ChugSplashProxy'),
  ...named('SuperchainConfig', 'ProtocolVersions'),
  { name: 'SystemConfig', own: 'SystemConfigJovian:SystemConfigJovian' },
  ...named('OptimismPortal2', 'L1CrossDomainMessenger', 'L1StandardBridge', 'L1ERC721Bridge'),
  ...named('OptimismMintableERC20Factory', 'DisputeGameFactory', 'AnchorStateRegistry', 'DelayedWETH'),
  { name: 'FaultDisputeGame', own: 'FaultDisputeGameU16:FaultDisputeGameU16' },
  { name: 'PermissionedDisputeGame', own: 'PermissionedDisputeGameU16:PermissionedDisputeGameU16' },
  ...named('MIPS', 'PreimageOracle'),
]

/** @type {readonly Listing[]} */
export const LISTINGS = [
  {
    module: 'src/core/rollup/op/generated-l2.ts',
    runs: 200,
    contracts: [
      ...named('Proxy', 'ProxyAdmin', 'L2ToL1MessagePasser', 'LegacyMessagePasser', 'DeployerWhitelist'),
      ...named('L1BlockNumber', 'SequencerFeeVault', 'BaseFeeVault', 'L1FeeVault'),
      { name: 'L1Block', artifact: 'L1Block', from: ECOTONE },
      { name: 'L1BlockCreation', artifact: 'L1Block', from: ECOTONE, creation: true },
      { name: 'L1BlockIsthmus', own: 'L1Block:L1BlockIsthmus' },
      { name: 'L1BlockIsthmusCreation', own: 'L1Block:L1BlockIsthmus', creation: true },
      { name: 'L1BlockJovian', own: 'L1Block:L1BlockJovian' },
      { name: 'L1BlockJovianCreation', own: 'L1Block:L1BlockJovian', creation: true },
      { name: 'OperatorFeeVault', own: 'OperatorFeeVault:OperatorFeeVault' },
      { name: 'OperatorFeeVaultCreation', own: 'OperatorFeeVault:OperatorFeeVault', creation: true },
      { name: 'GasPriceOracle', artifact: 'GasPriceOracle', from: ECOTONE },
      { name: 'GasPriceOracleCreation', artifact: 'GasPriceOracle', from: ECOTONE, creation: true },
      { name: 'GasPriceOracleFjord', artifact: 'GasPriceOracle' },
      { name: 'GasPriceOracleFjordCreation', artifact: 'GasPriceOracle', creation: true },
      { name: 'GasPriceOracleIsthmus', own: 'GasPriceOracle:GasPriceOracleIsthmus' },
      { name: 'GasPriceOracleIsthmusCreation', own: 'GasPriceOracle:GasPriceOracleIsthmus', creation: true },
      { name: 'GasPriceOracleJovian', own: 'GasPriceOracle:GasPriceOracleJovian' },
      { name: 'GasPriceOracleJovianCreation', own: 'GasPriceOracle:GasPriceOracleJovian', creation: true },
      { name: 'WETH9', artifact: 'WETH9', from: ECOTONE },
      { name: 'L2CrossDomainMessenger', artifact: 'L2CrossDomainMessenger', from: ECOTONE },
      { name: 'L2StandardBridge', artifact: 'L2StandardBridge', from: ECOTONE },
      ...named('L2ERC721Bridge', 'OptimismMintableERC20Factory', 'OptimismMintableERC721Factory'),
      ...named('SchemaRegistry', 'EAS'),
      { name: 'MultiCall3', preinstall: 'MultiCall3Code' },
      { name: 'Create2Deployer', preinstall: 'Create2DeployerCode' },
      { name: 'DeterministicDeploymentProxy', preinstall: 'DeterministicDeploymentProxyCode' },
      { name: 'SafeSingletonFactory', preinstall: 'SafeSingletonFactoryCode' },
      { name: 'Safe', preinstall: 'Safe_v130Code' },
      { name: 'SafeL2', preinstall: 'SafeL2_v130Code' },
      { name: 'MultiSend', preinstall: 'MultiSend_v130Code' },
      { name: 'MultiSendCallOnly', preinstall: 'MultiSendCallOnly_v130Code' },
      {
        name: 'Permit2',
        preinstall: 'Permit2TemplateCode',
        // As getPermit2Code in Preinstalls sets them.
        immutables: { chainId: [6945], domainSeparator: [6983] },
      },
      { name: 'SenderCreator', preinstall: 'SenderCreatorCode' },
      { name: 'EntryPoint', preinstall: 'EntryPointCode' },
      { name: 'BaseTime', own: 'BaseTime:BaseTime' },
    ],
  },
  {
    module: 'src/tools/pair/generated-l1.ts',
    errors: 'src/tools/pair/generated-l1-errors.ts',
    contracts: L1_CONTRACTS,
    runs: PACKAGE_RUNS,
  },
  {
    // Tests deploy the contracts as the protocol does.
    module: 'test/tools/pair/generated-l1-creation.ts',
    runs: PACKAGE_RUNS,
    contracts: L1_CONTRACTS.map((listed) => ({ ...listed, creation: true })),
  },
]
