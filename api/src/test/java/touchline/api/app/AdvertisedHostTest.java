package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.domain.NodeAddresses;
import touchline.config.ConfigLoader;
import touchline.config.ServerConfig;

final class AdvertisedHostTest {
    private static ServerConfig config(String advertise) {
        return new ConfigLoader(
                        Map.of(
                                "TOUCHLINE_CLUSTER_ADVERTISE",
                                advertise,
                                "TOUCHLINE_DB_URL",
                                "jdbc:postgresql://127.0.0.1/touchline"),
                        Path.of("."))
                .load();
    }

    @Test
    void address_thatIsConfigured_isShownWithThePorts() {
        assertEquals(
                new NodeAddresses(
                        "http://node-1.lan:8082", "http://node-1.lan:8081", "node-1.lan:1935"),
                AdvertisedHost.addresses(config("node-1.lan")));
        assertEquals(
                "http://[fd00::5]:8082", AdvertisedHost.addresses(config("fd00::5")).control());
    }

    @Test
    void address_thatIsNotConfigured_isTheOneTowardsTheDatabase() {
        assertEquals("http://127.0.0.1:8082", AdvertisedHost.addresses(config("")).control());
    }

    @Test
    void address_towardsAHostWithoutOne_isLoopback() {
        assertEquals("127.0.0.1", AdvertisedHost.towards("no-such-host.invalid"));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db.lan:5432/touchline?ssl=true, db.lan",
        "'jdbc:postgresql://a.lan:5432,b.lan:5433/touchline', a.lan",
        "jdbc:postgresql://[fd00::1]:5432/touchline, fd00::1",
        "jdbc:postgresql://10.0.0.1/, 10.0.0.1",
        "jdbc:postgresql:touchline, localhost"
    })
    void host_ofTheDatabase_isTheFirstOneOfItsAddress(String url, String host) {
        assertEquals(host, AdvertisedHost.databaseHost(url));
    }
}
