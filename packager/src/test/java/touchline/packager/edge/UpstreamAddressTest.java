package touchline.packager.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UpstreamAddressTest {
    @Test
    void addressesOfBothFamilies_areRead() {
        assertEquals(
                Optional.of(new UpstreamAddress("10.0.0.5", 8081, false)),
                UpstreamAddress.of("http://10.0.0.5:8081"));
        UpstreamAddress six = UpstreamAddress.of("https://[fd00::1]:443").orElseThrow();
        assertEquals(new UpstreamAddress("fd00::1", 443, true), six);
        assertEquals("[fd00::1]:443", six.authority());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "http://10.0.0.5", "ftp://10.0.0.5:21", "10.0.0.5:80", "http:// :1"})
    void anythingElse_isNoAddress(String text) {
        assertEquals(Optional.empty(), UpstreamAddress.of(text));
    }
}
