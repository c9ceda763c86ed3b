package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

final class NoReverseLookupTest {
    @Test
    void nameOfAnAddress_isTheAddress_withoutALookup() throws UnknownHostException {
        assertEquals(
                "127.0.0.1", InetAddress.getByAddress(new byte[] {127, 0, 0, 1}).getHostName());
    }

    @Test
    void addressOfAName_isLookedUp() throws UnknownHostException {
        assertTrue(InetAddress.getByName("localhost").isLoopbackAddress());
    }
}
