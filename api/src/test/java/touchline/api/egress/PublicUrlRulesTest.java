package touchline.api.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.net.AddressRules;

/** Addresses refused at creation, with a resolver of the test. */
final class PublicUrlRulesTest {
    private static final Map<String, List<InetAddress>> NAMES =
            Map.of(
                    "public.test", addresses("8.8.8.8", "2606:4700::1"),
                    "mixed.test", addresses("8.8.8.8", "10.1.2.3"),
                    "inside.test", addresses("192.168.1.9"),
                    "localhost", addresses("127.0.0.1", "::1"),
                    "localhost.", addresses("127.0.0.1"),
                    "xn--fsq.test", addresses("127.0.0.1"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://public.test/board",
                "https://public.test:8443/board?match=7",
                "https://8.8.8.8/",
                "https://[2606:4700::1]/",
                "https://does-not-resolve.test/"
            })
    void receiver_onThePublicNet_isAccepted(String url) {
        assertEquals(Optional.empty(), rules().receiverRefusal(url));
        assertEquals(Optional.empty(), rules().refusal(URI.create(url)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Loopback in all spellings.
                "https://127.0.0.1/",
                "https://127.1/",
                "https://127.0.1/",
                "https://127.8.9.10/",
                "https://2130706433/",
                "https://017700000001/",
                "https://0177.0.0.1/",
                "https://0x7f000001/",
                "https://0x7f.0.0.1/",
                "https://0x7F.1/",
                "https://127.0.0.1./",
                "https://0/",
                "https://0.0.0.0/",
                "https://[::]/",
                "https://[::1]/",
                "https://[0:0:0:0:0:0:0:1]/",
                "https://[::ffff:127.0.0.1]/",
                "https://[::ffff:7f00:1]/",
                "https://[64:ff9b::7f00:1]/",
                "https://localhost/",
                "https://localhost./",
                // Metadata, link-local, private, CGNAT, multicast, reserved, unique-local.
                "https://169.254.169.254/latest/meta-data",
                "https://[fd00:ec2::254]/",
                "https://[fe80::1]/",
                "https://10.0.0.1/",
                "https://172.16.9.9/",
                "https://192.168.0.1/",
                "https://100.64.0.1/",
                "https://224.0.0.1/",
                "https://[ff02::1]/",
                "https://255.255.255.255/",
                "https://[fc00::1]/",
                "https://[2002:7f00:1::]/",
                // Names.
                "https://inside.test/",
                "https://mixed.test/",
                "https://xn--fsq.test/"
            })
    void receiver_thatLeadsInside_isRefusedByItsAddress(String url) {
        String refusal = rules().receiverRefusal(url).orElse("accepted");
        // What only some clients take for an address is no host at all here.
        boolean plain = URI.create(url).getHost() != null;

        assertTrue(refusal.contains(plain ? "egress.allow" : "no plain host"), refusal);
        assertTrue(rules().refusal(URI.create(url)).isPresent(), url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://public.test/",
                "http://does-not-resolve.test/",
                "ftp://public.test/",
                "file:///etc/passwd",
                "//public.test/",
                "public.test",
                "https:public.test",
                "https:///path",
                "https://",
                "https://user@public.test/",
                "https://public.test@127.0.0.1/",
                "https://127.0.0.1@public.test/",
                "https://public.test\\@127.0.0.1/",
                "https://public.test#@127.0.0.1/",
                "https://public.test:0/",
                "https://public.test:99999/",
                "https://public.test /",
                "https://public.test\r\nHost: inside.test/",
                "https://b\u00fccher.test/",
                "https://\uff11\uff12\uff17.0.0.1/",
                "https://\u2460\u2461\u2466.0.0.1/",
                "https://127\u30020\u30020\u30021/",
                "https://%31%32%37.0.0.1/",
                "https://[::1%25lo]@public.test/",
                "javascript:alert(1)"
            })
    void receiver_thatIsNoPlainHttpsAddress_isRefused(String url) {
        assertTrue(rules().receiverRefusal(url).isPresent(), url);
    }

    @Test
    void receiver_thatTheOperatorAllows_isAccepted() {
        PublicUrlRules rules = rules("10.1.0.0/16", "127.0.0.0/8", "8.8.8.8/32", "2606:4700::/32");

        for (String url :
                List.of(
                        "https://mixed.test/",
                        "http://127.0.0.1:9000/hook",
                        "http://public.test/",
                        "http://[::ffff:127.0.0.1]/")) {
            assertEquals(Optional.empty(), rules.receiverRefusal(url), url);
        }
        assertTrue(rules.receiverRefusal("http://10.2.0.1/").isPresent());
        assertTrue(rules.receiverRefusal("http://[::1]/").isPresent());
    }

    @Test
    void plainHttp_toPublicNames_isLeftToOthersThanReceivers() {
        assertEquals(Optional.empty(), rules().refusal(URI.create("http://public.test/a.mp4")));
        assertTrue(
                rules("10.1.0.0/16").receiverRefusal("http://public.test/").isPresent(),
                "not named by egress.allow");
    }

    private static PublicUrlRules rules(String... allowed) {
        return new PublicUrlRules(
                new AddressGuard(
                        AddressRules.allowing(List.of(allowed)), PublicUrlRulesTest::lookUp));
    }

    private static List<InetAddress> lookUp(String host) throws UnknownHostException {
        List<InetAddress> addresses = NAMES.get(host);
        if (addresses == null) {
            throw new UnknownHostException(host);
        }
        return addresses;
    }

    private static List<InetAddress> addresses(String... literals) {
        return List.of(literals).stream().map(InetAddress::ofLiteral).toList();
    }
}
