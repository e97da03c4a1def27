// The ABIs of Base's native contracts, in Solidity's words. A line `since n` begins what version n brought.

/** Functions without arguments, by their names. */
function views(type: string, names: string): string {
  const lines = names.split(' ').map((name) => `function ${name}() view returns (${type})`)
  return lines.join('\n')
}

/** Errors without arguments. */
function errors(names: string): string {
  const lines = names.split(' ').map((name) => `error ${name}()`)
  return lines.join('\n')
}

const COMMON_ERRORS = errors('NonPayable DelegateCallNotAllowed')

const ROLES = 'DEFAULT_ADMIN_ROLE MINT_ROLE BURN_ROLE BURN_BLOCKED_ROLE PAUSE_ROLE UNPAUSE_ROLE METADATA_ROLE'
const SCOPES = 'TRANSFER_SENDER_POLICY TRANSFER_RECEIVER_POLICY TRANSFER_EXECUTOR_POLICY MINT_RECEIVER_POLICY'

/** Of both variants. */
const TOKEN = `${views('bytes32', ROLES)}
${views('bytes32', SCOPES)}
since 2
${views('bytes32', 'SEIZE_ROLE SEIZE_EXEMPT_POLICY SEIZE_RECEIVER_POLICY')}
function seizeWithMemo(address from, address to, uint256 amount, bytes32 memo)
error AccountNotSeizable(address account)
event Seized(address indexed caller, address indexed from, address indexed to, uint256 amount)
since 1
${views('string', 'name symbol contractURI')}
${views('uint256', 'totalSupply supplyCap')}
${views('bytes32', 'DOMAIN_SEPARATOR')}
function decimals() view returns (uint8)
function balanceOf(address account) view returns (uint256)
function allowance(address owner, address spender) view returns (uint256)
function transfer(address to, uint256 amount) returns (bool)
function transferFrom(address from, address to, uint256 amount) returns (bool)
function approve(address spender, uint256 amount) returns (bool)
function transferWithMemo(address to, uint256 amount, bytes32 memo) returns (bool)
function transferFromWithMemo(address from, address to, uint256 amount, bytes32 memo) returns (bool)
function mint(address to, uint256 amount)
function mintWithMemo(address to, uint256 amount, bytes32 memo)
function burn(uint256 amount)
function burnWithMemo(uint256 amount, bytes32 memo)
function burnBlocked(address from, uint256 amount)
function updateSupplyCap(uint256 newSupplyCap)
function hasRole(bytes32 role, address account) view returns (bool)
function getRoleAdmin(bytes32 role) view returns (bytes32)
function grantRole(bytes32 role, address account)
function revokeRole(bytes32 role, address account)
function renounceRole(bytes32 role, address callerConfirmation)
function renounceLastAdmin()
function setRoleAdmin(bytes32 role, bytes32 newAdminRole)
function pausedFeatures() view returns (PausableFeature[])
function isPaused(PausableFeature feature) view returns (bool)
function pause(PausableFeature[] features)
function unpause(PausableFeature[] features)
function policyId(bytes32 policyScope) view returns (uint64)
function updatePolicy(bytes32 policyScope, uint64 newPolicyId)
function updateName(string newName)
function updateSymbol(string newSymbol)
function updateContractURI(string newURI)
function nonces(address owner) view returns (uint256)
function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
${COMMON_ERRORS}
${errors('Unauthorized InvalidAmount EmptyFeatureSet LastAdminCannotRenounce NotSoleAdmin AccessControlBadConfirmation')}
error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
error ContractPaused(PausableFeature feature)
error InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
error InsufficientBalance(address sender, uint256 balance, uint256 needed)
error InvalidSender(address sender)
error InvalidReceiver(address receiver)
error InvalidApprover(address approver)
error InvalidSpender(address spender)
error InvalidSupplyCap(uint256 currentSupply, uint256 proposedCap)
error SupplyCapExceeded(uint256 cap, uint256 attempted)
error PolicyForbids(bytes32 policyScope, uint64 policyId)
error PolicyNotFound(uint64 policyId)
error UnsupportedPolicyType(bytes32 policyScope)
error AccountNotBlocked(address account)
error ExpiredSignature(uint256 deadline)
error InvalidSigner(address signer, address owner)
event Transfer(address indexed from, address indexed to, uint256 amount)
event Approval(address indexed owner, address indexed spender, uint256 amount)
event Memo(address indexed caller, bytes32 indexed memo)
event BurnedBlocked(address indexed caller, address indexed from, uint256 amount)
event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)
event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)
event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)
event LastAdminRenounced(address indexed previousAdmin)
event Paused(address indexed updater, PausableFeature[] features)
event Unpaused(address indexed updater, PausableFeature[] features)
event PolicyUpdated(bytes32 indexed policyScope, uint64 oldPolicyId, uint64 newPolicyId)
event SupplyCapUpdated(address indexed updater, uint256 oldSupplyCap, uint256 newSupplyCap)
event ContractURIUpdated()
event NameUpdated(address indexed updater, string newName)
event SymbolUpdated(address indexed updater, string newSymbol)
event EIP712DomainChanged()`

export const ASSET_TEXT = `${TOKEN}
${views('bytes32', 'OPERATOR_ROLE')}
${views('uint256', 'WAD_PRECISION multiplier')}
${errors('InvalidMetadataKey InvalidMultiplier EmptyBatch AnnouncementInProgress')}
function announce(bytes[] internalCalls, string id, string description, string uri)
function isAnnouncementIdUsed(string id) view returns (bool)
function toScaledBalance(uint256 rawBalance) view returns (uint256)
function toRawBalance(uint256 scaledBalance) view returns (uint256)
function scaledBalanceOf(address account) view returns (uint256)
function updateMultiplier(uint256 newMultiplier)
function batchMint(address[] recipients, uint256[] amounts)
function extraMetadata(string key) view returns (string)
function updateExtraMetadata(string key, string value)
error AnnouncementIdAlreadyUsed(string id)
error LengthMismatch(uint256 leftLen, uint256 rightLen)
error InternalCallMalformed(bytes call)
error InternalCallFailed(bytes call)
event MultiplierUpdated(uint256 multiplier)
event ExtraMetadataUpdated(string key, string value)
event Announcement(address indexed caller, string id, string description, string uri)
event EndAnnouncement(string id)
since 2
${views('uint256', 'uiMultiplier newUIMultiplier effectiveAt totalSupplyUI MAX_UI_MULTIPLIER')}
${errors('UIMultiplierUpdateDoesNotExist')}
function toUIAmount(uint256 rawAmount) view returns (uint256)
function fromUIAmount(uint256 uiAmount) view returns (uint256)
function balanceOfUI(address account) view returns (uint256)
function updateUIMultiplier(uint256 newMultiplier, uint256 effectiveAt)
function cancelUIMultiplierUpdate()
function supportsInterface(bytes4 interfaceId) view returns (bool)
error EffectiveAtInPast(uint256 effectiveAt)
error EffectiveAtTooFar(uint256 effectiveAt)
error UIMultiplierUpdateExists(uint256 effectiveAt)
event UIMultiplierUpdated(uint256 oldMultiplier, uint256 newMultiplier, uint256 effectiveAtTimestamp)
event UIMultiplierUpdateCancelled(uint256 cancelledMultiplier, uint256 cancelledEffectiveAt)`

export const STABLECOIN_TEXT = `${TOKEN}
function currency() view returns (string)`

export const FACTORY_TEXT = `
function createB20(B20Variant variant, bytes32 salt, bytes params, bytes[] initCalls) returns (address token)
function getB20Address(B20Variant variant, address sender, bytes32 salt) view returns (address)
function isB20(address token) view returns (bool)
function isB20Initialized(address token) view returns (bool)
${COMMON_ERRORS}
error TokenAlreadyExists(address token)
error InvalidVariant()
error UnsupportedVersion(uint8 version, B20Variant variant)
error MissingRequiredField(string field)
error InvalidCurrency(string code)
error InvalidDecimals(uint8 decimals)
error InitCallFailed(uint256 index)
error FeatureNotActivated(bytes32 feature)
event B20Created(address indexed token, B20Variant indexed variant, string name, string symbol, uint8 decimals, bytes variantParams)`

export const POLICY_TEXT = `
function createPolicy(address admin, PolicyType policyType) returns (uint64 newPolicyId)
function createPolicyWithAccounts(address admin, PolicyType policyType, address[] accounts) returns (uint64 newPolicyId)
function stageUpdateAdmin(uint64 policyId, address newAdmin)
function finalizeUpdateAdmin(uint64 policyId)
function renounceAdmin(uint64 policyId)
function updateAllowlist(uint64 policyId, bool allowed, address[] accounts)
function updateBlocklist(uint64 policyId, bool blocked, address[] accounts)
function isAuthorized(uint64 policyId, address account) view returns (bool)
function policyExists(uint64 policyId) view returns (bool)
function policyAdmin(uint64 policyId) view returns (address)
function pendingPolicyAdmin(uint64 policyId) view returns (address)
${COMMON_ERRORS}
${errors('Unauthorized PolicyNotFound IncompatiblePolicyType ZeroAddress NoPendingAdmin')}
error BatchSizeTooLarge(uint256 maxBatchSize)
error FeatureNotActivated(bytes32 feature)
event PolicyCreated(uint64 indexed policyId, address indexed creator, PolicyType policyType)
event PolicyAdminStaged(uint64 indexed policyId, address indexed currentAdmin, address indexed pendingAdmin)
event PolicyAdminUpdated(uint64 indexed policyId, address indexed previousAdmin, address indexed newAdmin)
event AllowlistUpdated(uint64 indexed policyId, address indexed updater, bool allowed, address[] accounts)
event BlocklistUpdated(uint64 indexed policyId, address indexed updater, bool blocked, address[] accounts)
since 2
${views('uint256', 'MIN_COMPOSITE_CHILD_POLICIES MAX_COMPOSITE_CHILD_POLICIES')}
${errors('ChildPoliciesOutsideOfRange')}
function createCompositePolicy(address admin, PolicyType policyType, uint64[] childPolicyIds) returns (uint64 newPolicyId)
function updateComposite(uint64 policyId, uint64[] childPolicyIds)
function compositePolicyChildIds(uint64 policyId) view returns (uint64[])
error InvalidChildPolicy(uint64 childPolicyId)
event CompositePolicyUpdated(uint64 indexed policyId, address indexed updater, uint64[] childPolicyIds)
since 3
function invertedPolicyId(uint64 policyId) view returns (uint64)`

export const ACTIVATION_TEXT = `
function isActivated(bytes32 feature) view returns (bool)
function checkActivated(bytes32 feature) view
function activate(bytes32 feature)
function deactivate(bytes32 feature)
function admin() view returns (address)
${COMMON_ERRORS}
error Unauthorized(address caller)
error AlreadyActivated(bytes32 feature)
error FeatureNotActivated(bytes32 feature)
error StaticCallNotAllowed()
event FeatureActivated(bytes32 indexed feature, address indexed caller)
event FeatureDeactivated(bytes32 indexed feature, address indexed caller)
since 2
function setAdmin(address newAdmin)
error ZeroAdminAddress()
event AdminChanged(address indexed previousAdmin, address indexed newAdmin, address indexed caller)`
