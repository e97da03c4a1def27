// Solidity tests of keys, gas, the environment and created contracts, held against what forge 1.7.1 says
// of them, in like-forge-values.json.

export const VALUES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  enum ForgeContext { TestGroup, Test, Coverage, Snapshot, ScriptGroup, ScriptDryRun, ScriptBroadcast, ScriptResume, Unknown } struct Wallet { address addr; uint256 publicKeyX; uint256 publicKeyY; uint256 privateKey; } struct Gas { uint64 gasLimit; uint64 gasTotalUsed; uint64 gasMemoryUsed; int64 gasRefunded; uint64 gasRemaining; } struct SignedDelegation { uint8 v; bytes32 r; bytes32 s; uint64 nonce; address implementation; } struct PotentialRevert { address reverter; bool partialMatch; bytes revertData; } struct AccessListItem { address target; bytes32[] storageKeys; }
  function accessList(AccessListItem[] calldata) external;
  function addr(uint256) external pure returns (address);
  function assume(bool) external pure;
  function assumeNoRevert() external pure;
  function assumeNoRevert(PotentialRevert calldata) external pure;
  function assumeNoRevert(PotentialRevert[] calldata) external pure;
  function attachDelegation(SignedDelegation calldata) external;
  function attachDelegation(SignedDelegation calldata, bool) external;
  function blobBaseFee(uint256) external;
  function blobhashes(bytes32[] calldata) external;
  function breakpoint(string calldata) external pure;
  function breakpoint(string calldata, bool) external pure;
  function cloneAccount(address, address) external;
  function coinbase(address) external;
  function cool(address) external;
  function coolSlot(address, bytes32) external;
  function createEd25519Key(bytes32) external pure returns (bytes32, bytes32);
  function createWallet(string calldata) external returns (Wallet memory);
  function createWallet(uint256) external returns (Wallet memory);
  function createWallet(uint256, string calldata) external returns (Wallet memory);
  function deriveKey(string calldata, uint32) external pure returns (uint256);
  function deriveKey(string calldata, string calldata, uint32) external pure returns (uint256);
  function deriveKey(string calldata, uint32, string calldata) external pure returns (uint256);
  function deriveKey(string calldata, string calldata, uint32, string calldata) external pure returns (uint256);
  function expectCreate(bytes calldata, address) external;
  function expectCreate2(bytes calldata, address) external;
  function expectRevert() external;
  function expectRevert(bytes4) external;
  function expectRevert(bytes4, address, uint64) external;
  function expectRevert(bytes calldata, address, uint64) external;
  function expectRevert(bytes calldata) external;
  function expectRevert(address) external;
  function expectRevert(bytes4, address) external;
  function expectRevert(bytes calldata, address) external;
  function expectRevert(uint64) external;
  function expectRevert(bytes4, uint64) external;
  function expectRevert(bytes calldata, uint64) external;
  function expectRevert(address, uint64) external;
  function expectSafeMemory(uint64, uint64) external;
  function expectSafeMemoryCall(uint64, uint64) external;
  function fee(uint256) external;
  function getBlobBaseFee() external view returns (uint256);
  function getBlobhashes() external view returns (bytes32[] memory);
  function getBlockNumber() external view returns (uint256);
  function getBlockTimestamp() external view returns (uint256);
  function getChainId() external view returns (uint256);
  function getLabel(address) external view returns (string memory);
  function getNonce(address) external view returns (uint64);
  function getNonce(Wallet calldata) external view returns (uint64);
  function getWallets() external view returns (address[] memory);
  function interceptInitcode() external;
  function isContext(ForgeContext context) external view returns (bool);
  function isPersistent(address) external view returns (bool);
  function label(address, string calldata) external;
  function lastCallGas() external view returns (Gas memory);
  function makePersistent(address) external;
  function makePersistent(address, address) external;
  function makePersistent(address, address, address) external;
  function makePersistent(address[] calldata) external;
  function noAccessList() external;
  function pauseGasMetering() external;
  function prank(address) external;
  function prank(address, address) external;
  function prank(address, bool) external;
  function prank(address, address, bool) external;
  function publicKeyEd25519(bytes32) external pure returns (bytes32);
  function publicKeyP256(uint256) external pure returns (uint256, uint256);
  function rememberKey(uint256) external returns (address);
  function rememberKeys(string calldata, string calldata, uint32) external returns (address[] memory);
  function rememberKeys(string calldata, string calldata, string calldata, uint32) external returns (address[] memory);
  function resetGasMetering() external;
  function resumeGasMetering() external;
  function revokePersistent(address) external;
  function revokePersistent(address[] calldata) external;
  function roll(uint256) external;
  function setBlockhash(uint256, bytes32) external;
  function signAndAttachDelegation(address, uint256) external returns (SignedDelegation memory);
  function signAndAttachDelegation(address, uint256, uint64) external returns (SignedDelegation memory);
  function signAndAttachDelegation(address, uint256, bool) external returns (SignedDelegation memory);
  function signCompact(Wallet calldata, bytes32) external pure returns (bytes32, bytes32);
  function signCompact(uint256, bytes32) external pure returns (bytes32, bytes32);
  function signCompact(bytes32) external pure returns (bytes32, bytes32);
  function signCompact(address, bytes32) external pure returns (bytes32, bytes32);
  function signDelegation(address, uint256) external returns (SignedDelegation memory);
  function signDelegation(address, uint256, uint64) external returns (SignedDelegation memory);
  function signDelegation(address, uint256, bool) external returns (SignedDelegation memory);
  function signEd25519(bytes calldata, bytes calldata, bytes32) external pure returns (bytes memory);
  function signP256(uint256, bytes32) external pure returns (bytes32, bytes32);
  function sign(Wallet calldata, bytes32) external pure returns (uint8, bytes32, bytes32);
  function sign(uint256, bytes32) external pure returns (uint8, bytes32, bytes32);
  function sign(bytes32) external pure returns (uint8, bytes32, bytes32);
  function sign(address, bytes32) external pure returns (uint8, bytes32, bytes32);
  function snapshotGasLastCall(string calldata) external returns (uint256);
  function snapshotGasLastCall(string calldata, string calldata) external returns (uint256);
  function snapshotValue(string calldata, uint256) external;
  function snapshotValue(string calldata, string calldata, uint256) external;
  function startSnapshotGas(string calldata) external;
  function startSnapshotGas(string calldata, string calldata) external;
  function stopExpectSafeMemory() external;
  function stopSnapshotGas() external returns (uint256);
  function stopSnapshotGas(string calldata) external returns (uint256);
  function stopSnapshotGas(string calldata, string calldata) external returns (uint256);
  function txGasPrice(uint256) external;
  function verifyEd25519(bytes calldata, bytes calldata, bytes calldata, bytes32) external pure returns (bool);
  function warmSlot(address, bytes32) external;
  function warp(uint256) external;
}
contract Test { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log(string); event log_uint(uint256); event log_bytes(bytes); event log_bytes32(bytes32); event log_address(address); }
contract T4 { uint256 public x = 1; mapping(uint256 => uint256) public m; error Bad(uint256 n); error Other();
  function get() external view returns (uint256) { return x; } function set(uint256 v) external { x = v; } function bad(uint256 n) external pure { revert Bad(n); } function other() external pure { revert Other(); } function words() external pure { revert("w"); } function clear() external { x = 0; } function callBad(T4 t, uint256 n) external pure { t.bad(n); } function price() external view returns (uint256, address, uint256) { return (tx.gasprice, block.coinbase, block.basefee); } function mem(uint256 n) external pure { assembly { mstore(n, 1) } } receive() external payable {} }
contract Small4 { uint256 immutable k; constructor(uint256 v) payable { k = v; } function get() external view returns (uint256) { return k; } }
contract KeysTest is Test {
  function words(bytes memory e) internal { assembly { e := add(e, 68) } emit log(string(e)); }
  function ask(string memory signature, bytes memory args) internal { (bool ok, bytes memory data) = address(vm).call(abi.encodePacked(bytes4(keccak256(bytes(signature))), args)); if (ok) { emit log_bytes(data); return; } words(data); }
  string constant M = "test test test test test test test test test test test junk"; bytes32 constant D = keccak256("digest");
  function test_addr() public { emit log_address(vm.addr(1)); ask("addr(uint256)", abi.encode(0)); ask("addr(uint256)", abi.encode(type(uint256).max)); ask("addr(uint256)", abi.encode(115792089237316195423570985008687907852837564279074904382605163141518161494337)); ask("addr(uint256)", abi.encode(115792089237316195423570985008687907852837564279074904382605163141518161494336)); }
  function test_sign() public { (uint8 v, bytes32 r, bytes32 s) = vm.sign(1, D); emit log_uint(v); emit log_bytes32(r); emit log_bytes32(s); (r, s) = vm.signCompact(1, D); emit log_bytes32(r); emit log_bytes32(s); }
  function test_p256() public { (bytes32 r, bytes32 s) = vm.signP256(1, D); emit log_bytes32(r); emit log_bytes32(s); (uint256 x, uint256 y) = vm.publicKeyP256(1); emit log_uint(x); emit log_uint(y); ask("signP256(uint256,bytes32)", abi.encode(0, D)); ask("publicKeyP256(uint256)", abi.encode(type(uint256).max)); }
  function test_wallet() public { Vm.Wallet memory w = vm.createWallet("alice"); emit log_bytes(abi.encode(w)); emit log(vm.getLabel(w.addr)); w = vm.createWallet(7); emit log_bytes(abi.encode(w)); w = vm.createWallet(7, "seven"); emit log(vm.getLabel(w.addr)); emit log_uint(vm.getNonce(w)); (uint8 v,,) = vm.sign(w, D); emit log_uint(v); (bytes32 r,) = vm.signCompact(w, D); emit log_bytes32(r); ask("createWallet(uint256)", abi.encode(0)); }
  function test_derive() public { emit log_uint(vm.deriveKey(M, 0)); emit log_uint(vm.deriveKey(M, 4)); emit log_uint(vm.deriveKey(M, "m/44'/60'/0'/1/", 2)); emit log_uint(vm.deriveKey(M, "m/", 2)); ask("deriveKey(string,uint32)", abi.encode("bad words", 0)); ask("deriveKey(string,string,uint32)", abi.encode(M, "x", 0)); ask("deriveKey(string,string,uint32)", abi.encode(M, "m/44'/60'/0'/1", 0)); }
  function test_remember() public { emit log_address(vm.rememberKey(5)); address[] memory a = vm.rememberKeys(M, "m/44'/60'/0'/0/", 3); emit log_uint(a.length); emit log_address(a[2]); (uint8 v,,) = vm.sign(vm.addr(5), D); emit log_uint(v); address[] memory w = vm.getWallets(); emit log_uint(w.length); ask("sign(address,bytes32)", abi.encode(address(9), D)); ask("sign(bytes32)", abi.encode(D)); }
  function test_delegation() public { address a = vm.addr(3); Vm.SignedDelegation memory d = vm.signDelegation(address(this), 3); emit log_bytes(abi.encode(d)); vm.attachDelegation(d); emit log_bytes(a.code); (bool k,) = a.call(abi.encodeWithSignature("nop()")); emit log_uint(k ? 1 : 0); emit log_bytes(a.code); d = vm.signAndAttachDelegation(address(7), 4); emit log_uint(d.nonce); } function nop() external {}
  function test_ed() public { (bytes32 pk, bytes32 sk) = vm.createEd25519Key(bytes32(uint256(5))); emit log_bytes32(pk); emit log_bytes32(sk); bytes memory s = vm.signEd25519("ns", "msg", sk); emit log_bytes(s); emit log_uint(vm.verifyEd25519(s, "ns", "msg", pk) ? 1 : 0); emit log_uint(vm.verifyEd25519(s, "n", "msg", pk) ? 1 : 0); emit log_bytes32(vm.publicKeyEd25519(sk)); }
}
contract NoRevertTest is Test { T4 t = new T4(); T4 u = new T4();
  function test_unit() public { vm.assumeNoRevert(); t.bad(1); }
  function test_unitOk() public { vm.assumeNoRevert(); t.get(); }
  function test_withExpect() public { vm.assumeNoRevert(); vm.expectRevert(); t.bad(1); }
  function test_assume() public { vm.assume(false); }
}
contract ExpectCreateTest is Test {
  function test_create() public { vm.expectCreate(type(T4).runtimeCode.length > 0 ? type(T4).runtimeCode : bytes(""), address(this)); new T4(); }
  function test_createWrong() public { vm.expectCreate(type(T4).runtimeCode, address(this)); new E4(); }
  function test_createDeployer() public { vm.expectCreate(type(E4).runtimeCode, address(5)); new E4(); }
  function test_create2() public { vm.expectCreate2(type(E4).runtimeCode, address(this)); new E4{salt: 0}(); }
  function test_create2Not() public { vm.expectCreate2(type(E4).runtimeCode, address(this)); new E4(); }
  function test_createNot() public { vm.expectCreate(type(E4).runtimeCode, address(this)); new E4{salt: 0}(); }
  function test_none() public { vm.expectCreate(type(E4).runtimeCode, address(this)); }
  function test_inner() public { vm.expectCreate(type(E4).runtimeCode, address(this)); this.make(); } function make() external { new E4(); }
  function test_prank() public { vm.expectCreate(type(E4).runtimeCode, address(8)); vm.prank(address(8)); new E4(); }
  function test_intercept() public { vm.interceptInitcode(); E4 e = new E4(); emit log_uint(address(e).code.length); emit log_uint(keccak256(address(e).code) == keccak256(type(E4).creationCode) ? 1 : 0); e = new E4(); emit log_uint(keccak256(address(e).code) == keccak256(type(E4).creationCode) ? 1 : 0); }
  function test_interceptArgs() public { vm.interceptInitcode(); Small4 e = new Small4(7); emit log_bytes32(keccak256(address(e).code)); emit log_uint(address(e).code.length); }
  function test_interceptTwice() public { vm.interceptInitcode(); try vm.interceptInitcode() { emit log_uint(1); } catch (bytes memory e) { assembly { e := add(e, 68) } emit log(string(e)); } }
}
contract E4 { function a() external pure returns (uint256) { return 1; } }
contract GasTest4 is Test { T4 t = new T4();
  function words(bytes memory e) internal { assembly { e := add(e, 68) } emit log(string(e)); }
  function test_pause() public { vm.pauseGasMetering(); t.set(5); for (uint256 i; i < 100; i++) t.get(); vm.resumeGasMetering(); t.set(6); }
  function test_pauseOnly() public { t.set(5); vm.pauseGasMetering(); t.set(0); }
  function test_resumeOnly() public { vm.resumeGasMetering(); t.set(5); }
  function test_reset() public { t.set(5); vm.resetGasMetering(); t.set(6); }
  function test_resetPause() public { vm.pauseGasMetering(); t.set(5); vm.resumeGasMetering(); vm.resetGasMetering(); t.set(6); }
  function test_inner() public { this.pausing(); t.set(4); vm.resumeGasMetering(); t.set(8); } function pausing() external { t.set(3); vm.pauseGasMetering(); t.set(2); }
  function test_create() public { vm.pauseGasMetering(); new T4(); vm.resumeGasMetering(); new T4(); }
  function test_revert() public { vm.pauseGasMetering(); try t.bad(1) {} catch {} vm.resumeGasMetering(); try t.bad(1) {} catch {} }
  function test_gasleft() public { vm.pauseGasMetering(); uint256 g = gasleft(); t.set(3); emit log_uint(g - gasleft()); vm.resumeGasMetering(); }
  function test_last() public { t.set(5); Vm.Gas memory g = vm.lastCallGas(); emit log_bytes(abi.encode(g)); t.clear(); g = vm.lastCallGas(); emit log_bytes(abi.encode(g)); try t.bad(1) {} catch {} g = vm.lastCallGas(); emit log_bytes(abi.encode(g)); }
  function test_lastNone() public { GasNone n = new GasNone(); try n.go() {} catch (bytes memory e) { words(e); } Vm.Gas memory g = vm.lastCallGas(); emit log_uint(g.gasTotalUsed); }
  function test_snapshot() public { vm.startSnapshotGas("a"); t.set(4); emit log_uint(vm.stopSnapshotGas()); vm.startSnapshotGas("g", "b"); t.set(5); emit log_uint(vm.stopSnapshotGas("g", "b")); t.set(6); emit log_uint(vm.snapshotGasLastCall("l")); emit log_uint(vm.snapshotGasLastCall("g", "l")); vm.snapshotValue("v", 77); vm.snapshotValue("g", "v", 78); try vm.stopSnapshotGas("zz") {} catch (bytes memory e) { words(e); } try vm.stopSnapshotGas() {} catch (bytes memory e) { words(e); } vm.startSnapshotGas("x"); try vm.startSnapshotGas("y") {} catch (bytes memory e) { words(e); } }
  function test_cool() public { t.get(); uint256 g = gasleft(); t.get(); emit log_uint(g - gasleft()); vm.cool(address(t)); g = gasleft(); t.get(); emit log_uint(g - gasleft()); vm.coolSlot(address(t), bytes32(0)); g = gasleft(); t.get(); emit log_uint(g - gasleft()); vm.cool(address(t)); vm.warmSlot(address(t), bytes32(0)); g = gasleft(); t.get(); emit log_uint(g - gasleft()); }
  function test_warm() public { vm.warmSlot(address(t), bytes32(0)); uint256 g = gasleft(); t.get(); emit log_uint(g - gasleft()); }
  function test_access() public { Vm.AccessListItem[] memory a = new Vm.AccessListItem[](1); bytes32[] memory k = new bytes32[](1); a[0] = Vm.AccessListItem(address(t), k); vm.accessList(a); uint256 g = gasleft(); t.get(); emit log_uint(g - gasleft()); vm.noAccessList(); g = gasleft(); t.get(); emit log_uint(g - gasleft()); }
  function test_coolSet() public { t.set(3); vm.cool(address(t)); uint256 g = gasleft(); t.set(4); emit log_uint(g - gasleft()); g = gasleft(); t.set(1); emit log_uint(g - gasleft()); }
  function test_roll() public { uint256 g = gasleft(); vm.roll(5); emit log_uint(g - gasleft()); g = gasleft(); vm.warp(5); emit log_uint(g - gasleft()); g = gasleft(); vm.getBlockNumber(); emit log_uint(g - gasleft()); }
  function test_memory() public { vm.expectSafeMemory(0x80, 0x100); assembly { mstore(0x80, 1) } }
  function test_memoryBad() public { vm.expectSafeMemory(0x80, 0x100); assembly { mstore(0x120, 1) } }
  function test_memoryStop() public { vm.expectSafeMemory(0x80, 0x100); vm.stopExpectSafeMemory(); assembly { mstore(0x120, 1) } }
  function test_memoryCall() public { vm.expectSafeMemoryCall(0x80, 0x100); t.mem(0x80); t.mem(0xe0); }
  function test_memoryCallBad() public { vm.expectSafeMemoryCall(0x80, 0x100); t.mem(0xf0); }
  function test_memoryRange() public { try vm.expectSafeMemory(0x100, 0x80) {} catch (bytes memory e) { words(e); } }
}
contract GasNone { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); function go() external returns (uint256) { return vm.lastCallGas().gasTotalUsed; } }
contract EnvTest is Test { T4 t = new T4();
  function words(bytes memory e) internal { assembly { e := add(e, 68) } emit log(string(e)); }
  function ask(string memory signature, bytes memory args) internal { (bool ok, bytes memory data) = address(vm).call(abi.encodePacked(bytes4(keccak256(bytes(signature))), args)); if (ok) { emit log_bytes(data); return; } words(data); }
  function test_start() public { emit log_uint(block.timestamp); emit log_uint(block.number); emit log_uint(block.chainid); emit log_uint(block.basefee); emit log_uint(block.prevrandao); emit log_address(block.coinbase); emit log_uint(block.gaslimit); emit log_uint(tx.gasprice); emit log_address(tx.origin); emit log_address(msg.sender); emit log_uint(block.blobbasefee); emit log_uint(address(this).balance); emit log_uint(address(msg.sender).balance); emit log_address(address(this)); emit log_bytes32(blockhash(0)); emit log_uint(vm.getNonce(msg.sender)); emit log_uint(vm.getNonce(address(this))); }
  function test_gasPrice() public { vm.txGasPrice(77); (uint256 p, address c, uint256 f) = t.price(); emit log_uint(p); vm.coinbase(address(0xcc)); vm.fee(13); (p, c, f) = t.price(); emit log_address(c); emit log_uint(f); emit log_uint(tx.gasprice); }
  function test_blob() public { bytes32[] memory h = new bytes32[](2); h[0] = bytes32(uint256(1)); h[1] = bytes32(uint256(2)); vm.blobhashes(h); emit log_uint(vm.getBlobhashes().length); emit log_bytes32(blobhash(1)); emit log_bytes32(blobhash(2)); vm.blobBaseFee(99); emit log_uint(vm.getBlobBaseFee()); emit log_uint(block.blobbasefee); vm.blobBaseFee(0); emit log_uint(block.blobbasefee); vm.blobBaseFee(10000000); emit log_uint(block.blobbasefee); }
  function test_blocks() public { vm.roll(300); emit log_uint(vm.getBlockNumber()); emit log_uint(vm.getBlockTimestamp()); vm.warp(55); emit log_uint(vm.getBlockTimestamp()); emit log_uint(vm.getChainId()); vm.setBlockhash(299, bytes32(uint256(7))); emit log_bytes32(blockhash(299)); emit log_bytes32(blockhash(298)); ask("setBlockhash(uint256,bytes32)", abi.encode(300, 1)); ask("setBlockhash(uint256,bytes32)", abi.encode(10, 1)); emit log_bytes32(blockhash(10)); }
  function test_limits() public { ask("roll(uint256)", abi.encode(type(uint256).max)); emit log_uint(block.number); ask("warp(uint256)", abi.encode(type(uint256).max)); emit log_uint(block.timestamp); ask("chainId(uint256)", abi.encode(type(uint256).max)); ask("chainId(uint256)", abi.encode(uint256(type(uint64).max))); emit log_uint(block.chainid); ask("fee(uint256)", abi.encode(type(uint256).max)); ask("txGasPrice(uint256)", abi.encode(type(uint256).max)); ask("difficulty(uint256)", abi.encode(1)); ask("prevrandao(uint256)", abi.encode(type(uint256).max)); emit log_uint(block.prevrandao); ask("prevrandao(bytes32)", abi.encode(5)); emit log_uint(block.prevrandao); }
  function test_chain() public { ask("getChain(uint256)", abi.encode(1)); ask("getChain(string)", abi.encode("mainnet")); ask("getChain(string)", abi.encode("nope")); ask("getChain(uint256)", abi.encode(424242)); ask("getChain(uint256)", abi.encode(8453)); }
  function test_context() public { emit log_uint(vm.isContext(Vm.ForgeContext.Test) ? 1 : 0); emit log_uint(vm.isContext(Vm.ForgeContext.TestGroup) ? 1 : 0); emit log_uint(vm.isContext(Vm.ForgeContext.ScriptGroup) ? 1 : 0); emit log_uint(vm.isContext(Vm.ForgeContext.Coverage) ? 1 : 0); }
  function test_label() public { vm.label(address(5), "five"); vm.label(address(5), "six"); emit log(vm.getLabel(address(5))); emit log(vm.getLabel(address(this))); emit log(vm.getLabel(address(vm))); emit log(vm.getLabel(address(0x999))); }
  function test_clone() public { t.set(9); vm.cloneAccount(address(t), address(0x7272)); emit log_uint(T4(payable(address(0x7272))).x()); emit log_uint(vm.getNonce(address(0x7272))); }
  function test_persistent() public { emit log_uint(vm.isPersistent(address(this)) ? 1 : 0); emit log_uint(vm.isPersistent(address(t)) ? 1 : 0); vm.makePersistent(address(t)); emit log_uint(vm.isPersistent(address(t)) ? 1 : 0); vm.revokePersistent(address(t)); emit log_uint(vm.isPersistent(address(t)) ? 1 : 0); ask("activeFork()", ""); ask("selectFork(uint256)", abi.encode(0)); ask("rollFork(uint256)", abi.encode(1)); }
  function test_breakpoint() public { vm.breakpoint("a"); ask("breakpoint(string)", abi.encode("aa")); ask("breakpoint(string)", abi.encode("1")); ask("breakpoint(string)", abi.encode("")); }
  function test_assertions() public { ask("assertEq(uint256,uint256,string)", abi.encode(1, 2, "msg")); ask("assertApproxEqAbs(uint256,uint256,uint256)", abi.encode(10, 13, 2)); ask("assertApproxEqRel(uint256,uint256,uint256)", abi.encode(100, 110, 0.05e18)); ask("assertApproxEqRel(uint256,uint256,uint256)", abi.encode(100, 0, 0.05e18)); ask("assertEqDecimal(uint256,uint256,uint256)", abi.encode(1.5e18, 2e18, 18)); ask("assertLt(int256,int256)", abi.encode(int256(5), int256(-5))); ask("assertEq(bytes,bytes)", abi.encode(hex"01", hex"02")); ask("assertEq(string,string)", abi.encode("a", "b")); ask("assertEq(address,address)", abi.encode(address(1), address(2))); uint256[] memory a = new uint256[](2); ask("assertEq(uint256[],uint256[])", abi.encode(a, new uint256[](1))); ask("assertNotEq(bool,bool)", abi.encode(true, true)); ask("assertTrue(bool)", abi.encode(false)); ask("assertFalse(bool,string)", abi.encode(true, "why")); ask("assertGe(uint256,uint256)", abi.encode(1, 2)); ask("assertApproxEqAbsDecimal(int256,int256,uint256,uint256)", abi.encode(int256(-1e18), int256(1e18), 1, 18)); ask("assertEq(bytes32,bytes32)", abi.encode(1, 2)); ask("assertApproxEqRelDecimal(uint256,uint256,uint256,uint256)", abi.encode(1e18, 2e18, 0.1e18, 18)); }
}
`
