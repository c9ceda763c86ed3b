package touchline.media.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedAddressesTest {
    /** A block may be written by one of its addresses, as in {@code http.trusted-proxies}. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "::1, true",
        "10.200.0.9, true",
        "11.0.0.1, false",
        "192.0.2.7, true",
        "192.0.2.8, false"
    })
    void test_loopbackAndProxies_areShared(String address, boolean shared) throws Exception {
        SharedAddresses addresses = new SharedAddresses(List.of("10.1.2.3/8", "192.0.2.7"));

        assertEquals(shared, addresses.test(InetAddress.getByName(address)));
    }
}
