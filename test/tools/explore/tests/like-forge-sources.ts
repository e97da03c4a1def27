// Solidity tests whose gas, reasons and logs are held against what forge 1.7.1 says of them, in like-forge.json.

export const LIKE_FORGE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { struct Gas { uint64 gasLimit; uint64 gasTotalUsed; uint64 gasMemoryUsed; int64 gasRefunded; uint64 gasRemaining; }
  function cool(address) external; function coolSlot(address, bytes32) external; function store(address, bytes32, bytes32) external;
  function pauseGasMetering() external; function resumeGasMetering() external; function resetGasMetering() external;
  function lastCallGas() external returns (Gas memory); function snapshotGasLastCall(string calldata) external returns (uint256);
  function broadcast(address) external; function startBroadcast(address) external; function getNonce(address) external returns (uint64);
  function warp(uint256) external; function roll(uint256) external; function getBlockTimestamp() external returns (uint256); function getBlockNumber() external returns (uint256);
  function blobBaseFee(uint256) external; function getBlobBaseFee() external returns (uint256);
  function expectRevert(address) external; function expectRevert(bytes calldata, address) external;
  function setNonce(address, uint64) external; function setNonceUnsafe(address, uint64) external; function resetNonce(address) external; function load(address, bytes32) external returns (bytes32);
  function chainId(uint256) external; function fee(uint256) external; function etch(address, bytes calldata) external; function snapshotState() external returns (uint256); function revertToState(uint256) external returns (bool);
  struct SignedDelegation { uint8 v; bytes32 r; bytes32 s; uint64 nonce; address implementation; } function signDelegation(address, uint256) external returns (SignedDelegation memory); function addr(uint256) external returns (address);
  function coinbase(address) external; function computeCreateAddress(address, uint256) external returns (address); function mockCall(address, bytes calldata, bytes calldata) external; function startPrank(address) external; function expectEmit(address) external;
  function expectCall(address, bytes calldata) external; function broadcastRawTransaction(bytes calldata) external; function executeTransaction(bytes calldata) external returns (bytes memory);
  function deal(address, uint256) external; function parseUint(string calldata) external returns (uint256); function parseInt(string calldata) external returns (int256);
}
contract Box {
  uint256 public x = 3;
  uint256 public y;
  function setX(uint256 v) external { x = v; }
  function setY(uint256 v) external { y = v; }
  function fails() external pure { revert('r'); }
}
contract Salted { address public by; constructor() payable { by = msg.sender; } }
abstract contract Base {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  Box box;
  event log(string); event logs(bytes); event log_address(address); event log_bytes32(bytes32); event log_int(int256); event log_uint(uint256);
  event log_named_address(string key, address val); event log_named_decimal_int(string key, int256 val, uint256 decimals);
  event log_named_decimal_uint(string key, uint256 val, uint256 decimals); event log_named_uint(string key, uint256 val);
  event log_named_string(string key, string val); event log_array(int256[] val); event log_named_array(string key, address[] val);
  event log_other(uint256);
  function setUp() public { box = new Box(); }
  function raw(bytes memory data) internal returns (bytes memory out) {
    bool ok;
    (ok, out) = address(vm).call(data);
    if (!ok) assembly { revert(add(out, 32), mload(out)) }
  }
}
contract Persistent is Base {
  function change(address a, uint256 which) external {
    if (which == 0) vm.deal(a, 123);
    if (which == 1) vm.setNonce(a, 123);
    if (which == 2) vm.setNonceUnsafe(a, 123);
    if (which == 3) vm.resetNonce(a);
    if (which == 4) vm.store(a, 0, bytes32(uint256(123)));
    revert();
  }
}
contract RevertedFrameTest is Base {
  Persistent frame = new Persistent();
  function through(address a, uint256 which) external { frame.change(a, which); }
  function tell(uint256 which, bool isDeep) internal {
    address a = address(0x1234);
    if (which == 3) vm.setNonce(a, 99);
    if (isDeep) try this.through(a, which) {} catch {} else try frame.change(a, which) {} catch {}
    emit log_uint(a.balance); emit log_uint(vm.getNonce(a)); emit log_uint(uint256(vm.load(a, 0)));
  }
  function test_deal() public { tell(0, false); }
  function test_dealDeep() public { tell(0, true); }
  function test_setNonce() public { tell(1, false); }
  function test_setNonceUnsafe() public { tell(2, true); }
  function test_resetNonce() public { tell(3, false); }
  function test_store() public { tell(4, true); }
  function undone() external { uint256 id = vm.snapshotState(); vm.deal(address(0x1234), 7); vm.setNonce(address(0x1234), 8); vm.revertToState(id); revert(); }
  function test_snapshot() public { try this.undone() {} catch {} emit log_uint(address(0x1234).balance); emit log_uint(vm.getNonce(address(0x1234))); }
  function made() external { Persistent other = new Persistent(); vm.deal(address(other), 44); vm.setNonce(address(other), 9); revert(); }
  function test_made() public { try this.made() {} catch {} address next = address(new Persistent()); emit log_uint(next.balance); emit log_uint(vm.getNonce(next)); }
}
contract RawTransactionTest is Base {
  address constant FROM = 0x5316812db67073C4d4af8BB3000C5B86c2877e94;
  address constant TO = 0x6Fd0A0CFF9A87aDF51695b40b4fA267855a8F4c6;
  bytes constant SIGNED = hex'f860806483030d40946fd0a0cff9a87adf51695b40b4fa267855a8f4c6118025a03ebeabbcfe43c2c982e99b376b5fb6e765059d7f215533c8751218cac99bbd80a00a56cf5c382442466770a756e81272d06005c9e90fb8dbc5b53af499d5aca856';
  function send(bool isSent, bytes memory data) internal {
    (bool ok, bytes memory out) = address(vm).call(abi.encodeWithSignature(isSent ? 'broadcastRawTransaction(bytes)' : 'executeTransaction(bytes)', data));
    if (!ok) assembly { mstore(add(out, 4), sub(mload(out), 4)) out := add(out, 4) }
    if (ok) emit logs(out); else emit log(abi.decode(out, (string)));
  }
  function begin(bytes memory code) internal { vm.chainId(1); vm.fee(1); vm.deal(FROM, 1 ether); vm.etch(TO, code); }
  function both(bytes memory code) internal {
    begin(code); uint256 id = vm.snapshotState(); send(true, SIGNED); tell(); vm.revertToState(id); send(false, SIGNED); tell();
  }
  function tell() internal { emit log_uint(vm.getNonce(FROM)); emit log_uint(FROM.balance); emit log_uint(TO.balance); emit log_uint(uint256(vm.load(TO, 0))); emit log_uint(block.coinbase.balance); }
  function test_notATransaction() public {
    bytes[8] memory bad = [bytes(hex'0102'), hex'', hex'c0', hex'05aa', hex'02', hex'f860', hex'c20102', hex'dd806483030d40940993863c19b0defb183ca2b502db7d1b331ded757b80'];
    for (uint256 i = 0; i < bad.length; i++) { send(true, bad[i]); send(false, bad[i]); }
  }
  function test_otherChain() public { vm.deal(FROM, 1 ether); send(true, SIGNED); send(false, SIGNED); tell(); }
  function test_poor() public { vm.chainId(1); vm.fee(1); send(true, SIGNED); send(false, SIGNED); tell(); }
  function test_lowFee() public { begin(''); vm.fee(101); send(true, SIGNED); send(false, SIGNED); tell(); }
  function test_nonce() public { begin(''); vm.setNonce(FROM, 1); send(false, SIGNED); send(true, SIGNED); tell(); }
  function test_transfer() public { both(''); }
  function test_stores() public { both(hex'600960005500'); }
  function test_origin() public { both(hex'323314600055'); }
  function test_reverts() public { both(hex'600960005561010260005260206000fd'); }
  function test_halts() public { both(hex'6009600055fe'); }
  function test_outOfGas() public { both(hex'5b600056'); }
  function test_returns() public { both(hex'61010260005260206000f3'); }
  function test_twice() public { begin(''); send(false, SIGNED); send(false, SIGNED); send(true, SIGNED); tell(); }
  function undone() external { send(false, SIGNED); revert(); }
  function test_undone() public { begin(''); try this.undone() {} catch {} tell(); }
  function test_isWarm() public { begin(''); vm.signDelegation(address(box), 7); uint256 gas = gasleft(); uint256 b = vm.addr(7).balance; emit log_uint(gas - gasleft() + b); }
}
contract DescribedTest is Base {
  function say(bytes memory data) internal {
    (bool ok, bytes memory out) = address(vm).call(data);
    if (!ok) assembly { mstore(add(out, 4), sub(mload(out), 4)) out := add(out, 4) }
    if (ok) emit logs(out); else emit log(abi.decode(out, (string)));
  }
  function hashType(string memory description) internal { say(abi.encodeWithSignature('eip712HashType(string)', description)); }
  function test_typesInAnyOrder() public {
    hashType('Details(address token, uint160 amount) Single(Details details,address spender, uint256 deadline)');
    hashType('Details(address token) Batch(Details[2][] details)');
    say(abi.encodeWithSignature('eip712HashStruct(string,bytes)', 'Inner(uint256 x) Outer(Inner inner,bool on)', abi.encode(uint256(7), true)));
  }
  function test_missingTypes() public { hashType('Single(Details details,address spender)'); hashType('A(B b)B(A a)'); hashType('A(foo x)'); }
  function test_chains() public {
    string[4] memory names = ['anvil', 'mainnet', 'anvil-hardhat', 'nowhere'];
    for (uint256 i = 0; i < names.length; i++) say(abi.encodeWithSignature('getChain(string)', names[i]));
    say(abi.encodeWithSignature('getChain(uint256)', 10)); say(abi.encodeWithSignature('getChain(uint256)', 31337));
    say(abi.encodeWithSignature('getChain(uint256)', 100)); say(abi.encodeWithSignature('getChain(string)', 'binance-smart-chain')); say(abi.encodeWithSignature('getChain(string)', '84532'));
  }
}
contract Refusing { constructor() { revert('D'); } }
contract Creator { function create() external { new Refusing(); } function through(Creator other) external { other.create(); } }
contract ReverterTest is Base {
  Creator one = new Creator(); Creator two = new Creator();
  function test_constructor() public { vm.expectRevert(bytes('D'), address(one)); one.create(); }
  function test_nested() public { vm.expectRevert(address(two)); one.through(two); }
  function test_other() public { vm.expectRevert(address(one)); one.through(two); }
  function test_directOther() public { vm.expectRevert(address(one)); new Refusing(); }
}
contract RemovedTest is Base { function testFail_a() public pure { revert(); } function testFailB(uint256 x) public pure {} }
contract CoolTest is Base {
  function test_cool() public { box.setX(4); vm.cool(address(box)); box.setX(5); }
  function test_coolBack() public { box.setX(4); vm.cool(address(box)); box.setX(3); }
  function test_coolSlot() public { box.setX(4); vm.coolSlot(address(box), 0); box.setX(5); }
  function test_coolRead() public { box.x(); vm.cool(address(box)); box.x(); }
  function test_coolCleared() public { box.setY(4); vm.cool(address(box)); box.setY(0); }
  function test_coolNew() public { Box b = new Box(); vm.cool(address(b)); b.setX(7); }
  function test_coolStored() public { vm.store(address(box), 0, bytes32(uint256(9))); vm.cool(address(box)); box.setX(3); }
}
contract MeterTest is Base {
  function inner() external { vm.pauseGasMetering(); box.setX(8); }
  function innerResume() external { box.setX(9); vm.resumeGasMetering(); box.setX(10); }
  function test_pausedRefund() public { box.setY(5); vm.pauseGasMetering(); box.setY(0); vm.resumeGasMetering(); }
  function test_refundBeforePay() public { vm.pauseGasMetering(); box.setX(0); vm.resumeGasMetering(); box.setY(1); }
  function test_neverResumed() public { vm.pauseGasMetering(); box.setX(0); }
  function test_nested() public { this.inner(); box.setX(9); vm.resumeGasMetering(); box.setY(1); }
  function test_nestedResume() public { vm.pauseGasMetering(); this.innerResume(); box.setY(1); }
  function test_nestedBoth() public { this.inner(); this.innerResume(); box.setY(1); }
  function test_resetWhilePaused() public { vm.pauseGasMetering(); box.setX(9); vm.resetGasMetering(); box.setY(1); vm.resumeGasMetering(); }
  function test_twice() public { vm.pauseGasMetering(); box.setX(1); vm.pauseGasMetering(); box.setX(2); vm.resumeGasMetering(); box.setX(3); vm.resumeGasMetering(); }
  function test_clearedAfter() public { vm.pauseGasMetering(); box.setY(1); vm.resumeGasMetering(); box.setY(0); box.setX(7); }
  function test_clearedAfterReset() public { box.setX(1); box.setY(1); vm.resetGasMetering(); box.setX(3); box.setY(0); }
}
contract LastCallTest is Base {
  function last() internal {
    Vm.Gas memory gas = vm.lastCallGas();
    emit log_named_uint('limit', gas.gasLimit); emit log_named_uint('used', gas.gasTotalUsed); emit log_int(gas.gasRefunded); emit log_uint(gas.gasRemaining);
  }
  function test_call() public { box.setX(9); last(); }
  function test_cleared() public { box.setX(0); last(); emit log_uint(vm.snapshotGasLastCall('a')); }
  function test_creation() public { new Box(); last(); }
  function test_setUp() public { last(); }
}
contract LastCallWithoutSetUpTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  function test_none() public { vm.lastCallGas(); }
}
contract BroadcastTest is Base {
  function made(Salted salted) internal { emit log_address(salted.by()); emit log_address(address(salted)); emit log_uint(vm.getNonce(address(77))); }
  function test_salt() public { vm.broadcast(address(77)); made(new Salted{salt: bytes32(uint256(1))}()); }
  function test_lasting() public { vm.startBroadcast(address(77)); made(new Salted{salt: bytes32(uint256(1))}()); }
  function test_value() public { vm.deal(address(77), 10); vm.broadcast(address(77)); made(new Salted{salt: bytes32(uint256(1)), value: 3}()); emit log_uint(address(77).balance); }
}
contract ArgumentsTest is Base {
  function test_address() public { emit logs(raw(abi.encodeWithSignature('getNonce(address)', uint256(1) << 200 | uint256(uint160(address(this)))))); }
  function test_bool() public { raw(abi.encodeWithSignature('assertTrue(bool)', uint256(2))); }
  function test_uint64() public { raw(abi.encodeWithSignature('setNonce(address,uint64)', address(5), uint256(1) << 64 | 7)); emit log_uint(vm.getNonce(address(5))); }
  function test_bytes4() public { raw(abi.encodeWithSignature('expectRevert(bytes4)', bytes32(uint256(1)))); box.fails(); }
  function test_uint8() public { emit logs(raw(abi.encodeWithSignature('isContext(uint8)', uint256(256)))); }
}
contract ToldTest is Base {
  function c(string memory types, bytes memory args) internal view {
    (bool ok, ) = 0x000000000000000000636F6e736F6c652e6c6f67.staticcall(abi.encodePacked(bytes4(keccak256(bytes(string.concat('log(', types, ')')))), args));
    require(ok);
  }
  function s1(string memory pattern, string memory a) internal view { c('string,string', abi.encode(pattern, a)); }
  function u1(string memory pattern, uint256 a) internal view { c('string,uint256', abi.encode(pattern, a)); }
  function failing() external { emit log('of a failure'); revert('x'); }
  function test_order() public { emit log('a'); c('string', abi.encode('b')); emit log('c'); try this.failing() {} catch {} c('string', abi.encode('d')); }
  function test_kept() public { emit log('before'); c('string', abi.encode('console')); revert('failed'); }
  function test_events() public {
    emit logs(hex'1234'); emit log_address(address(this)); emit log_bytes32('a'); emit log_int(-5); emit log_named_address('k', address(this));
    emit log_named_decimal_int('k', -15e17, 18); emit log_named_decimal_uint('k', 1e18, 18); emit log_named_decimal_uint('k', 5, 0); emit log_named_decimal_uint('k', 5, 100);
    emit log_named_string('k', 'v'); emit log_other(5);
    int256[] memory i = new int256[](2); i[1] = -7; emit log_array(i);
    address[] memory d = new address[](1); d[0] = address(this); emit log_named_array('k', d);
  }
  function test_console() public view {
    s1('%s and', 'a'); u1('%18e', 15e17); u1('%x', 255); u1('%o', 5); c('string', abi.encode('%%')); c('string', abi.encode('%s')); c('string,address', abi.encode('%s', address(this)));
    s1('%d', 'x'); s1('%s %s', 'only'); s1('%c', 'x'); u1('%4e', 12345); u1('%e', 12345); c('string,address', abi.encode('%x', address(this))); s1('%x', 'str'); s1('%o', 'str');
    c('string,bool', abi.encode('%d', true)); c('string,bool', abi.encode('%i', true)); c('string,address', abi.encode('%d', address(this))); s1('%f', 'z'); s1('%5', 'z'); s1('%', 'z'); c('string', abi.encode('end %'));
    c('address,bool,uint256,string', abi.encode(address(this), true, 5, 'x')); c('bytes', abi.encode(hex'12')); c('int256', abi.encode(-5)); c('bytes4', abi.encode(bytes4(hex'12345678')));
  }
}
contract BlocksTest is Base {
  function test_lastTime() public { vm.warp(type(uint256).max); emit log_uint(block.timestamp); emit log_uint(vm.getBlockTimestamp()); vm.warp(5); emit log_uint(block.timestamp); }
  function test_lastNumber() public { vm.roll(type(uint256).max); emit log_uint(block.number); emit log_uint(vm.getBlockNumber()); vm.warp(7); emit log_uint(block.number); }
  function test_blobFee() public { emit log_uint(vm.getBlobBaseFee()); vm.blobBaseFee(55); emit log_uint(block.blobbasefee); emit log_uint(vm.getBlobBaseFee()); vm.blobBaseFee(50_000_000); emit log_uint(block.blobbasefee); }
}
contract NumbersTest is Base {
  function reason(bytes memory e) internal { assembly { let length := sub(mload(e), 4) e := add(e, 4) mstore(e, length) } emit log(abi.decode(e, (string))); }
  function u(string memory text) internal { try vm.parseUint(text) returns (uint256 v) { emit log_uint(v); } catch (bytes memory e) { reason(e); } }
  function i(string memory text) internal { try vm.parseInt(text) returns (int256 v) { emit log_int(v); } catch (bytes memory e) { reason(e); } }
  function test_units() public { u('1 gwei'); u('1nano'); u('1  nanoether'); u('1 szabo'); u('1 ETHER'); u('1 weis'); u('5 '); u(' 5'); u('1.5 gwei'); u('1 e5'); u('0x5 gwei'); u('1e2 gwei'); }
  function test_points() public { u('1.5'); u('1.50'); u('1.0'); u('5.'); u('.5e1'); u('1.5e1'); u('1.55e1'); u('1.50e1'); u('1000e-3'); u('1e3'); u('1e'); u('1.1234567890 gwei'); u('1.e5'); u('5.x'); }
  function test_bases() public { u('0b11'); u('0o17'); u('0X1f'); u('0x'); u('0b'); u('0b12'); u('0o18'); u('0x1_0'); u('1_000'); u('1,000'); u('5 5'); u('ff'); u(''); u('+5'); u('0xg'); }
  function test_large() public { u('1e78'); u('0x10000000000000000000000000000000000000000000000000000000000000000'); u('1e300 ether'); i('1e78'); i('-0x8000000000000000000000000000000000000000000000000000000000000000'); i('0x8000000000000000000000000000000000000000000000000000000000000000'); i('-1e100'); }
  function test_signs() public { i('-5'); i('+5'); i('-0'); i('- 5'); i('--5'); i('-ff'); i('-0b11'); i('-1.5 gwei'); i('-1_0'); i('-'); }
  function r(string memory signature, bytes memory args) internal { (bool ok, bytes memory e) = address(vm).call(abi.encodePacked(bytes4(keccak256(bytes(signature))), args)); if (ok) emit logs(e); else reason(e); }
  function rlp(bytes memory data) internal { r('fromRlp(bytes)', abi.encode(data)); }
  function test_rlp() public { rlp(hex'c20102ff'); rlp(hex'c483010203ff'); rlp(hex'81'); rlp(hex'c2c101'); rlp(hex'01'); rlp(''); rlp(hex'c28101'); rlp(hex'f801ff'); rlp(hex'f80000'); rlp(hex'c28401'); rlp(hex'c0'); }
  function version(string memory text) internal { r('foundryVersionCmp(string)', abi.encode(text)); }
  function test_versions() public { version('1.7.1'); version('1.8.0'); version('1.7'); version('1'); version(''); version('a'); version('1.x'); version('1.7.1-dev'); version('1.7.1+abc'); version('01.7.1'); version('1a.7.1'); version('1.7.1x'); }
  function test_names() public { r('ensNamehash(string)', abi.encode('Foo.Eth')); r('getChain(string)', abi.encode('nope')); }
}
contract Target {
  uint256 count; address sender; address origin; uint256 price; uint256 fee; uint256 left;
  event Hit(uint256 indexed count, uint256 price);
  fallback(bytes calldata d) external payable returns (bytes memory) {
    if (d.length == 4) revert('nope');
    left = gasleft(); count++; sender = msg.sender; origin = tx.origin; price = tx.gasprice; fee = block.basefee;
    emit Hit(count, tx.gasprice);
    return abi.encode(count, msg.sender);
  }
  receive() external payable {}
}
/** Transactions to 0xaaaa and a creation, signed with the key 0x1111… for chain 31337. */
contract TransactionsTest is Base {
  event Hit(uint256 indexed count, uint256 price);
  address constant to = address(0xaaaa); address constant from = 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A; address constant payee = address(0xc0c0);
  bytes constant payment = hex'f862806483030d4094000000000000000000000000000000000000aaaa118082f4f6a033dfacc446c9fecff5a73fb891ce50e3212fe96697296de9ce0cf26b4a89d837a068c90ffabb813f5f0e6d457a7f33398ca9483a66fba6672d2fd45f3a0ecbe75a';
  bytes constant dynamic = hex'02f865827a69800a6483030d4094000000000000000000000000000000000000aaaa2a80c001a0f05951f93ee1a64aa7aaea8b800169c51dd2ac722679a5e7f60177a450177ab6a02af3f00e4f039237a7ac0d24f8ea6932ec90031e5c81ddc4beefa939ba2bf86f';
  bytes constant listed = hex'01f89d827a69800783030d4094000000000000000000000000000000000000aaaa8080f838f794000000000000000000000000000000000000aaaae1a0000000000000000000000000000000000000000000000000000000000000000080a06bb397241b84788f0895a73079e2deb6725c2dc854e1bb6c6d4b6b8e85787db6a06c2d1bfc894decac261ac73e8819eb8c53aaf036d8459ffc23746a05f050ebf1';
  bytes constant hit = hex'f862806483030d4094000000000000000000000000000000000000aaaa800182f4f5a028a701ab2c0622a6d144fc374615210e74ac99a2a9bf997b5cbb1ca72e754fcda042b020f81d727ab8826fadf954e67b9aca86d94b9e9a927fe764c7b6a48115e4';
  bytes constant creation = hex'f858806483030d4080808a600160005260206000f382f4f5a0900a84a673c8885ebc7b6f76257f47f0ec7882e7208f3eed942d420c2ccedb4ca03216995978627eb009b20584a44733d5f087d9c94719d0076dac6853004f3cb5';
  bytes constant failing = hex'f866806483030d4094000000000000000000000000000000000000aaaa8084deadbeef82f4f6a0c433f09618ae5eff975f7700b8d16db2ccbfd741f2996364680bb5039629509ea00dcf0d6365034a66c6312d1890f6f85dfa6af8da12fa96a15d91dd48e477bfd2';
  bytes constant second = hex'f862016483030d4094000000000000000000000000000000000000aaaa808082f4f5a09c4a3ef2d06ca40926ee9f66033ae8f873f078003c14da09fa4dde9f1e3aec18a06f1f71520d8415bb8b806714d9ed819e214e5077e0d6442b1ea11005341b0e7c';
  bytes constant foreign = hex'f860806483030d4094000000000000000000000000000000000000aaaa80802da010824e9a6f6106d0062a2e8979040b9b3a5f35a0ae9e1a8b0e67d0fbe8014faea050f846bec8867c7012da1df03092709f06df1d8af395a39d2621f87fe1c956c8';
  bytes constant short = hex'f8618064824e2094000000000000000000000000000000000000aaaa808082f4f6a09a8b00d1fc5c767676aa69b9c17c1655d7a11ac20ebcf92d5c660213cf4920d0a02f112b44b6331fc095ab1e21d0af61b222970c20a707cb7d6d2ddec5c0adde47';
  bytes constant large = hex'f86f806483030d4094000000000000000000000000000000000000aaaa8d0c9f2c9cd04674edea400000008082f4f5a05cf10bb47ee4ac1a9c2a89108074cb2eb3d390b8d9840ebcd52a70b81ea496aca059076c6e52d76996605357223f4bd441265f6c1371e0886db1821049fc995b4f';
  function prepare() internal { vm.etch(to, address(new Target()).code); vm.deal(from, 1 ether); vm.coinbase(payee); }
  function show() internal {
    emit log_uint(from.balance); emit log_uint(to.balance); emit log_uint(payee.balance); emit log_uint(vm.getNonce(from)); emit logs(vm.computeCreateAddress(from, 0).code);
    for (uint256 i = 0; i < 6; i++) emit log_uint(uint256(vm.load(to, bytes32(i))));
    emit log_uint(block.basefee); emit log_uint(tx.gasprice); emit log_address(tx.origin);
  }
  function reason(bytes memory e) internal { assembly { let length := sub(mload(e), 4) e := add(e, 4) mstore(e, length) } emit log(abi.decode(e, (string))); }
  function paid(bytes memory data) internal { try vm.broadcastRawTransaction(data) { show(); } catch (bytes memory e) { reason(e); } }
  function free(bytes memory data) internal { try vm.executeTransaction(data) returns (bytes memory out) { emit logs(out); show(); } catch (bytes memory e) { reason(e); } } function test_paidAtFee() public { prepare(); vm.fee(50); paid(hit); } function test_paidDynamic() public { prepare(); vm.fee(95); paid(dynamic); }
  function test_paidListed() public { prepare(); paid(listed); } function test_paidCreation() public { prepare(); paid(creation); }
  function test_paidTwice() public { prepare(); paid(hit); paid(hit); paid(second); } function test_paidMock() public { prepare(); vm.mockCall(to, hex'01', 'x'); paid(hit); }
  function test_paidPrank() public { prepare(); vm.startPrank(address(7)); paid(hit); }
  function test_paidEvent() public { prepare(); vm.expectEmit(to); emit Hit(1, 100); vm.broadcastRawTransaction(hit); } function test_paidCall() public { prepare(); vm.expectCall(to, hex'01'); vm.broadcastRawTransaction(hit); }
  function test_paidRefused() public { prepare(); paid(foreign); paid(short); paid(large); vm.fee(101); paid(payment); vm.deal(from, 1); vm.fee(1); paid(payment); } function test_freeAtFee() public { prepare(); vm.fee(1000); free(hit); } function test_freeDynamic() public { prepare(); vm.fee(95); free(dynamic); }
  function test_freeListed() public { prepare(); free(listed); } function test_freeCreation() public { prepare(); free(creation); }
  function test_freeTwice() public { prepare(); free(hit); free(hit); free(second); } function test_freeMock() public { prepare(); vm.mockCall(to, hex'01', 'x'); free(hit); }
  function test_freePrank() public { prepare(); vm.startPrank(address(7)); free(hit); } function test_freeEvent() public { prepare(); vm.expectEmit(to); emit Hit(1, 0); vm.executeTransaction(hit); }
  function test_freeCall() public { prepare(); vm.expectCall(to, hex'01'); vm.executeTransaction(hit); } function test_freeRefused() public { prepare(); free(foreign); free(short); free(second); free(large); vm.deal(from, 16); free(payment); }
}
contract PromptTest is Base {
  function text(string memory signature) internal { (bool ok, bytes memory e) = address(vm).call(abi.encodePacked(bytes4(keccak256(bytes(signature))), abi.encode('which'))); assert(!ok); emit logs(e); }
  function test_prompt() public { text('prompt(string)'); text('promptSecret(string)'); text('promptUint(string)'); text('promptSecretUint(string)'); text('promptAddress(string)'); }
}
`

/**
 * Functions of a handler, one for each of the contracts below: failures of assertions are failures of all invariants. Of
 * `noted` forge says so when it replays the failure.
 */
const HANDLED = [
  'vmAssert',
  'vmEqual',
  'vmWords',
  'solAssert',
  'inner',
  'overflow',
  'require_',
  'noted',
  'stops',
  'stopsInside',
  'sameWords',
  'customWords',
  'caught',
].map(
  (name) =>
    `contract Handled_${name} is Handled { function called() internal pure override returns (bytes4) { return Handler.${name}.selector; } }`,
)

/** Set-ups, skipped tests and invariants, of which like-forge-set-ups.json has status, reason and logs. */
export const SET_UPS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function assertTrue(bool) external; function assertEq(uint256, uint256) external; function assertEq(uint256, uint256, string calldata) external; function store(address, bytes32, bytes32) external; function assume(bool) external pure; function skip(bool) external; function skip(bool, string calldata) external; }
abstract contract Base {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  event log(string);
  struct FuzzSelector { address addr; bytes4[] selectors; }
}
contract Counter { uint256 public n; function inc() external { n++; } }
contract Reader { function read() external pure returns (uint256) { return 1; } }
contract Assuming is Base { function f(uint256 x) external { vm.assume(x == 77); } }
abstract contract Counting is Base { Counter c; function setUp() public virtual { c = new Counter(); } }
contract LogsTest is Base {
  constructor() { emit log('constructor'); }
  function setUp() public { emit log('setUp'); }
  function test_passes() public { emit log('a'); }
  function test_fails() public { emit log('f'); revert('x'); }
  function test_skipped() public { emit log('s'); vm.${'skip'}(true, 'why'); }
}
contract SkippedSetUpTest is Base { function setUp() public { vm.${'skip'}(true); } function test_a() public {} }
contract SkippedSetUpWhyTest is Base { function setUp() public { vm.${'skip'}(true, 'why'); } function test_a() public {} function invariant_a() public {} }
contract SkippedConstructorTest is Base { constructor() { vm.${'skip'}(true, 'c'); } function test_a() public {} }
contract NoTargetsTest is Base { function invariant_a() public {} }
contract OnlyReadersTest is Base { Reader r; function setUp() public { r = new Reader(); } function invariant_a() public {} }
contract ExcludedTest is Counting { function excludeContracts() public view returns (address[] memory a) { a = new address[](1); a[0] = address(c); } function invariant_a() public {} }
contract NoArtifactTest is Counting { function targetArtifacts() public pure returns (string[] memory s) { s = new string[](1); s[0] = 'Nope.sol:Nope'; } function invariant_a() public {} }
contract NobodysSelectorTest is Counting { function targetSelectors() public pure returns (FuzzSelector[] memory s) { s = new FuzzSelector[](1); s[0].addr = address(0x1234); s[0].selectors = new bytes4[](1); s[0].selectors[0] = Counter.inc.selector; } function invariant_a() public {} }
contract BrokenAtFirstTest is Counting { function invariant_a() public pure { revert('initially'); } function invariant_b() public {} }
contract AssumedAtFirstTest is Counting { function invariant_a() public pure { vm.assume(false); } }
contract ReturningTest is Counting { function invariant_a() public pure returns (bool) { return false; } }
/// forge-config: default.invariant.max_assume_rejects = 5
contract RejectingTest is Base { Assuming a; function setUp() public { a = new Assuming(); } function invariant_a() public {} }
contract Handler is Base {
  event Word(string);
  function ok() external {} function vmAssert() external { vm.assertTrue(false); } function vmEqual() external { vm.assertEq(uint256(1), 2); } function vmWords() external { vm.assertEq(uint256(1), 2, 'words'); }
  function solAssert() external pure { assert(false); } function inner() external { this.solAssert(); } function overflow() external pure { uint8 x = 255; x++; } function require_() external pure { require(false, 'required'); }
  function noted() external { vm.store(address(vm), bytes32('failed'), bytes32(uint256(1))); } function stops() external pure { assembly { invalid() } } function stopsInside() external { this.stops(); }
  error Named(string words); function customWords() external pure { revert Named('assertion failed'); }
  function sameWords() external pure { revert('no assertion failed here'); } function caught() external { try this.solAssert() {} catch {} try this.vmAssert() {} catch {} }
}
abstract contract Handled is Base {
  Handler h; function called() internal virtual returns (bytes4); function setUp() public { h = new Handler(); }
  function targetSelectors() public returns (FuzzSelector[] memory s) { s = new FuzzSelector[](1); s[0].addr = address(h); s[0].selectors = new bytes4[](2); s[0].selectors[0] = Handler.ok.selector; s[0].selectors[1] = called(); }
  function invariant_a() public {}
}
contract Counted { uint256 public n; error Full(uint256 n, Place place); struct Place { uint256 at; string name; } function inc() external { n++; } function check() external view { if (n > 2) revert Full(n, Place(n, 'x')); } function checkBare() external view { if (n > 2) revert(); } }
abstract contract Counts is Base {
  Counted c; function setUp() public { c = new Counted(); }
  function targetSelectors() public view returns (FuzzSelector[] memory s) { s = new FuzzSelector[](1); s[0].addr = address(c); s[0].selectors = new bytes4[](1); s[0].selectors[0] = Counted.inc.selector; }
}
contract Broken_custom is Counts { function invariant_a() public view { c.check(); } } contract Broken_panic is Counts { function invariant_a() public view { assert(c.n() < 3); } }
contract Broken_bare is Counts { function invariant_a() public view { c.checkBare(); } } contract Broken_underflow is Counts { function invariant_a() public view { uint256 left = 2 - c.n(); left; } }
contract Broken_noted is Counts { function invariant_a() public { if (c.n() > 2) vm.store(address(vm), bytes32('failed'), bytes32(uint256(1))); } } contract Broken_stops is Counts { function invariant_a() public view { if (c.n() > 2) assembly { invalid() } } }
contract Broken_bytes is Counts { function invariant_a() public view { if (c.n() > 2) assembly { mstore(0, hex'11223344') revert(0, 4) } } } contract Broken_cheatcode is Counts { function invariant_a() public { if (c.n() > 2) vm.assertEq(uint256(1), 2, 'words'); } }
${HANDLED.join('\n')}
contract ArgumentsTest { function setUp(uint256) public {} function test_none() public {} }
contract Never { function never(uint256) external { Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).assume(false); } } contract Seldom is Never { uint256 n; function often() external { n++; } }
/// forge-config: default.invariant.max_assume_rejects = 100
contract Rejects_all is Base { function setUp() public { address[] memory all = new address[](1); all[0] = address(new Never()); targets = all; } address[] targets; function targetContracts() public view returns (address[] memory) { return targets; } function invariant_a() public {} }
/// forge-config: default.invariant.max_assume_rejects = 100
contract Rejects_some is Base { function setUp() public { address[] memory all = new address[](1); all[0] = address(new Seldom()); targets = all; } address[] targets; function targetContracts() public view returns (address[] memory) { return targets; } function invariant_a() public {} }
contract Targets_noCode is Counting { function targetContracts() public view returns (address[] memory all) { all = new address[](2); all[0] = address(0x1234); all[1] = address(c); } function invariant_a() public view { require(c.n() < 1, 'set'); } }
contract Targets_onlyNoCode is Counting { function targetContracts() public pure returns (address[] memory all) { all = new address[](1); all[0] = address(0x1234); } function invariant_a() public {} }
`
