package touchline.media.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressRulesTest {
    private final AddressRules rules = new AddressRules(List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.9",
                "224.0.0.1",
                "239.255.255.250",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::127.0.0.1",
                "::8.8.8.8",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:0:8.8.8.8",
                "64:ff9b::127.0.0.1",
                "64:ff9b::10.1.2.3",
                "64:ff9b:1::8.8.8.8",
                "100::1",
                "2001::1",
                "2001:0:4136:e378:8000:63bf:3fff:fdd2",
                "2001:db8::1",
                "2001:10::1",
                "2002:7f00:1::",
                "2002:808:808::1",
                "3fff::1",
                "4000::1",
                "5f00::1",
                "fc00::1",
                "fd12:3456::1",
                "fe80::1",
                "fec0::1",
                "ff02::1"
            })
    void permits_notGloballyReachable_isFalse(String literal) {
        assertFalse(rules.permits(InetAddress.ofLiteral(literal)));
        assertTrue(rules.refusesLiteral(literal));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "::ffff:8.8.8.8",
                "64:ff9b::8.8.8.8",
                "2001:4860:4860::8888",
                "2606:4700:4700::1111",
                "2a00:1450::1",
                "2001:200::1"
            })
    void permits_public_isTrue(String literal) {
        assertTrue(rules.permits(InetAddress.ofLiteral(literal)));
        assertFalse(rules.refusesLiteral(literal));
    }

    /** Java converts most mapped addresses to IPv4, but not this one. */
    @Test
    void permits_mappedAddressOfTypeInet6_isJudgedByItsInside() throws UnknownHostException {
        byte[] octets = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 127, 0, 0, 1};
        Inet6Address mapped = Inet6Address.getByAddress(null, octets, -1);

        assertFalse(rules.permits(mapped));
        assertTrue(AddressRules.allowing(List.of("127.0.0.0/8")).permits(mapped));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1.",
                "2130706433",
                "0x7f000001",
                "0X7F.0.0.1",
                "017700000001",
                "0177.0.0.01",
                "127.1",
                "127.0.1",
                "0x7f.1",
                "127.0x1",
                "0",
                "0x",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "[::ffff:7f00:1]",
                "::1",
                "[0:0:0:0:0:0:0:1]",
                "[fe80::1%25eth0]",
                "[fe80::1%eth0]",
                "3232235521",
                "10.1",
                "0xa9fea9fe",
                "169.254.43518",
                "[::]",
                "１２７.0.0.1",
                "127。0。0。1",
                "%31%32%37.0.0.1",
                " 127.0.0.1 ",
                "[64:ff9b::7f00:1]"
            })
    void refusesLiteral_anySpelling_isTrue(String host) {
        assertTrue(rules.refusesLiteral(host), host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.com",
                "localhost",
                "127.0.0.1.example.com",
                "1.2.3.4.5",
                "256.256.256.256",
                "0x7g.1",
                "08.8.8.8",
                "8.8.8.8",
                "134744072",
                "0x08080808",
                "[2606:4700::1111]",
                "",
                ".",
                "..",
                "127..1",
                "4294967296",
                "[::1",
                "a:b",
                "%zz",
                "xn--nxasmq6b"
            })
    void refusesLiteral_namesAndPublicAddresses_isFalse(String host) {
        assertFalse(rules.refusesLiteral(host), host);
    }

    @ParameterizedTest
    @CsvSource({"134744072,8.8.8.8", "0x8.8.2056,8.8.8.8", "010.0.0.1,8.0.0.1", "1.256,1.0.1.0"})
    void literal_numbers_areReadAsInetAtonDoes(String host, String address) {
        assertEquals(InetAddress.ofLiteral(address), AddressRules.literal(host).orElseThrow());
    }

    @Test
    void allowing_blocks_openTheseOnly() {
        AddressRules open =
                AddressRules.allowing(List.of("10.1.0.0/16", " fd00::/8 ", "", "127.0.0.1"));

        assertTrue(open.permits(InetAddress.ofLiteral("10.1.2.3")));
        assertTrue(open.permits(InetAddress.ofLiteral("::ffff:10.1.2.3")));
        assertTrue(open.permits(InetAddress.ofLiteral("64:ff9b::10.1.2.3")));
        assertTrue(open.permits(InetAddress.ofLiteral("fd00::1")));
        assertTrue(open.permits(InetAddress.ofLiteral("127.0.0.1")));
        assertFalse(open.permits(InetAddress.ofLiteral("127.0.0.2")));
        assertFalse(open.permits(InetAddress.ofLiteral("10.2.0.1")));
        assertFalse(open.permits(InetAddress.ofLiteral("fc00::1")));
        assertFalse(open.refusesLiteral("0x7f000001"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/33",
                "10.0.0.1/8",
                "10.0.0/8",
                "example.com/8",
                "::/129",
                "fe80::1/64",
                "10.0.0.0/",
                "10.0.0.0/-1",
                "/8",
                "1.2.3.256",
                "localhost",
                "fe80::1%eth0",
                "0x7f.0.0.1"
            })
    void parse_noBlock_isRefusedByName(String cidr) {
        var thrown = assertThrows(IllegalArgumentException.class, () -> AddressBlock.parse(cidr));

        assertTrue(String.valueOf(thrown.getMessage()).contains(cidr));
    }

    @Test
    void toString_block_readsBack() {
        for (String cidr : List.of("10.0.0.0/8", "fd00::/8", "0.0.0.0/0", "1.2.3.4/32")) {
            AddressBlock block = AddressBlock.parse(cidr);
            assertEquals(block, AddressBlock.parse(block.toString()));
        }
    }

    @Test
    void following_newList_holdsAtOnce() throws UnknownHostException {
        AtomicReference<List<String>> list = new AtomicReference<>(List.of("10.0.0.0/8"));
        AddressRules rules = AddressRules.following(list::get);
        InetAddress ten = InetAddress.getByName("10.1.2.3");
        InetAddress loopback = InetAddress.getLoopbackAddress();
        assertTrue(rules.permits(ten));
        assertFalse(rules.permits(loopback));

        list.set(List.of("127.0.0.0/8"));

        assertFalse(rules.permits(ten));
        assertTrue(rules.allowsByName(loopback));
    }
}
