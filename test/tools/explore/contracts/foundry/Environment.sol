// SPDX-License-Identifier: MIT
// Cheatcodes of the block, the transaction, accounts, keys and texts. Each function holds or fails as recorded.json says.
pragma solidity ^0.8.20;

import {Std, vm, Vm} from "./Std.sol";

contract Block {
    function chain() external view returns (uint256) { return block.chainid; }
    function fee() external view returns (uint256) { return block.basefee; }
    function who() external view returns (address) { return msg.sender; }
}
contract Empty {}

contract Environment is Std {
    Block b = new Block();
    function same(string memory left, string memory right) internal pure { require(keccak256(bytes(left)) == keccak256(bytes(right)), left); }

    function test_chainId() external { vm.chainId(77); require(block.chainid == 77 && b.chain() == 77 && vm.getChainId() == 77); }
    function test_chainIdTooLarge() external { vm.chainId(type(uint256).max); }
    function test_fee() external { vm.fee(123); require(block.basefee == 123 && b.fee() == 123); }
    function test_coinbase() external { vm.coinbase(address(5)); require(block.coinbase == address(5)); }
    function test_prevrandao() external { vm.prevrandao(uint256(6)); require(block.prevrandao == 6); vm.prevrandao(bytes32(uint256(7))); require(block.prevrandao == 7); }
    function test_gasPrice() external { vm.txGasPrice(9); require(tx.gasprice == 9); }
    function test_roll() external { vm.roll(99); require(block.number == 99); }
    function test_nonce() external { vm.setNonce(address(9), 5); require(vm.getNonce(address(9)) == 5); }
    function test_nonceLower() external { vm.setNonce(address(9), 5); vm.setNonce(address(9), 4); }
    function test_nonceLowerUnsafe() external { vm.setNonce(address(9), 5); vm.setNonceUnsafe(address(9), 4); require(vm.getNonce(address(9)) == 4); }
    function test_nonceReset() external { vm.setNonce(address(9), 5); vm.resetNonce(address(9)); require(vm.getNonce(address(9)) == 0); }
    function test_nonceResetOfAContract() external { vm.resetNonce(address(this)); require(vm.getNonce(address(this)) == 1); }
    function test_nonceAndCreation() external { vm.setNonce(address(this), 50); require(address(new Empty()) == vm.computeCreateAddress(address(this), 50)); }

    function test_sign() external pure {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(uint256(7), keccak256("digest")); require(ecrecover(keccak256("digest"), v, r, s) == vm.addr(7));
        require(v == 27 && r == 0x1f054097c54d6f422ef2b32eb94e78878f7fd19f979e108443914181e7c03a71);
    }
    function test_signIsDeterministic() external pure { (, bytes32 r, bytes32 s) = vm.sign(uint256(7), keccak256("digest")); (, bytes32 q, bytes32 t) = vm.sign(uint256(7), keccak256("digest")); require(r == q && s == t); }
    function test_signCompact() external pure { (uint8 v, bytes32 r, bytes32 s) = vm.sign(uint256(8), keccak256("d")); (bytes32 q, bytes32 vs) = vm.signCompact(uint256(8), keccak256("d")); require(q == r && uint256(vs) == uint256(s) | (uint256(v - 27) << 255)); }
    function test_signZero() external pure { vm.sign(uint256(0), keccak256("d")); }
    function test_signTooLarge() external pure { vm.sign(type(uint256).max, keccak256("d")); }
    function test_addrTooLarge() external pure { vm.addr(type(uint256).max); }
    function test_wallet() external {
        Vm.Wallet memory w = vm.createWallet("alice"); require(w.addr == makeAddr("alice") && w.privateKey == uint256(keccak256("alice")) && w.addr == vm.addr(w.privateKey));
        require(w.addr == address(uint160(uint256(keccak256(abi.encode(w.publicKeyX, w.publicKeyY)))))); same(vm.getLabel(w.addr), "alice");
    }
    function test_walletOfAKey() external { Vm.Wallet memory w = vm.createWallet(uint256(5), "five"); require(w.addr == vm.addr(5)); same(vm.getLabel(w.addr), "five"); require(vm.createWallet(uint256(6)).addr == vm.addr(6)); }
    function test_walletSigns() external { Vm.Wallet memory w = vm.createWallet("bob"); (uint8 v, bytes32 r, bytes32 s) = vm.sign(w, keccak256("d")); require(ecrecover(keccak256("d"), v, r, s) == w.addr); require(vm.getNonce(w) == 0); }
    function test_label() external { vm.label(address(0xabc), "abc"); same(vm.getLabel(address(0xabc)), "abc"); same(vm.getLabel(address(0xabd)), "unlabeled:0x0000000000000000000000000000000000000Abd"); }

    function test_createAddress() external { address next = vm.computeCreateAddress(address(this), vm.getNonce(address(this))); require(next == address(new Empty())); }
    function test_create2Address() external {
        bytes32 hash = keccak256(type(Empty).creationCode); require(vm.computeCreate2Address(bytes32(uint256(5)), hash, address(this)) == address(new Empty{salt: bytes32(uint256(5))}()));
        require(vm.computeCreate2Address(bytes32(uint256(5)), hash) == vm.computeCreate2Address(bytes32(uint256(5)), hash, 0x4e59b44847b379578588920cA78FbF26c0B4956C));
    }
    function test_createAddressOfALargeNonce() external { vm.setNonce(address(this), 70_000); require(vm.computeCreateAddress(address(this), 70_000) == address(new Empty())); }
    function test_createAddressOfATooLargeNonce() external pure { vm.computeCreateAddress(address(1), type(uint256).max); }

    function mode() internal view returns (uint8 m, address sender, address origin) { return vm.readCallers(); }
    function test_callers() external {
        (uint8 m, address sender, address origin) = mode(); require(m == 0 && sender == msg.sender && origin == tx.origin);
        vm.prank(address(5)); (m, sender, origin) = mode(); require(m == 3 && sender == address(5)); b.who(); (m,,) = mode(); require(m == 0);
        vm.startPrank(address(6), address(7)); (m, sender, origin) = mode(); require(m == 4 && sender == address(6) && origin == address(7)); vm.stopPrank();
    }

    function test_toString() external pure {
        same(vm.toString(true), "true"); same(vm.toString(int256(-5)), "-5"); same(vm.toString(address(0xabcdef0123456789)), "0x000000000000000000000000abCdEF0123456789"); same(vm.toString(abi.encodePacked(uint16(258))), "0x0102");
        same(vm.toString(bytes32(uint256(1))), "0x0000000000000000000000000000000000000000000000000000000000000001");
    }
    function test_parse() external pure {
        require(vm.parseUint("123") == 123 && vm.parseUint("0x10") == 16 && vm.parseInt("-5") == -5 && vm.parseBool("true") && !vm.parseBool("false"));
        require(vm.parseAddress("0x0000000000000000000000000000000000000ABC") == address(0xabc) && vm.parseBytes32("0x0000000000000000000000000000000000000000000000000000000000000005") == bytes32(uint256(5)));
        require(keccak256(vm.parseBytes("0x0102")) == keccak256(hex"0102") && vm.parseInt("+5") == 5 && vm.parseInt("-0x10") == -16);
    }
    function test_parseNoNumber() external pure { vm.parseUint("abc"); }
    function test_parseTooLarge() external pure { vm.parseUint("115792089237316195423570985008687907853269984665640564039457584007913129639936"); }
    function test_texts() external pure {
        same(vm.toLowercase("AbC"), "abc"); same(vm.toUppercase("AbC"), "ABC"); same(vm.trim("  a b "), "a b"); same(vm.replace("a-b-c", "-", "+"), "a+b+c");
        string[] memory parts = vm.split("a,b,,c", ","); require(parts.length == 4); same(parts[2], ""); same(parts[3], "c");
        require(vm.indexOf("hello", "l") == 2 && vm.indexOf("hello", "z") == type(uint256).max && vm.indexOf("hello", "") == 0 && vm.contains("hello", "ell") && !vm.contains("hello", "z"));
        same(vm.toBase64("hello"), "aGVsbG8=");
    }
    function test_decimals() external pure { vm.assertEqDecimal(1500, 1501, 3); }
    function test_decimalsOfNone() external pure { vm.assertEqDecimal(1500, 1501, 0); }
    function test_decimalsWide() external pure { vm.assertEqDecimal(5, 1e18, 18); }
    function test_gasMetering() external { (bool ok,) = address(vm).call(abi.encodeWithSignature("pauseGasMetering()")); require(ok); (ok,) = address(vm).call(abi.encodeWithSignature("resumeGasMetering()")); require(ok); }
}
