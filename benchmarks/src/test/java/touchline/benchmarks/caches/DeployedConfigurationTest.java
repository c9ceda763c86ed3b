package touchline.benchmarks.caches;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class DeployedConfigurationTest {
    @Test
    void varnish_getsThePortOfTheServer() {
        assertEquals(".port = \"9001\";", DeployedConfiguration.varnish(".port = \"8081\";", 9001));
    }

    @Test
    void nginx_getsPortsAndFolder_andLosesItsCertificate() {
        String deployed =
                """
                server 127.0.0.1:8081;
                proxy_cache_path /var/cache/touchline levels=1:2;
                listen 443 ssl http2;
                server_name video.example.org;
                ssl_certificate /etc/ssl/example.org.pem;
                ssl_certificate_key /etc/ssl/example.org.key;
                proxy_cache touchline;
                """;

        String changed = DeployedConfiguration.nginx(deployed, 9001, 9002, Path.of("/tmp/x"));

        assertEquals(
                """
                server 127.0.0.1:9001;
                proxy_cache_path /tmp/x/cache levels=1:2;
                listen 127.0.0.1:9002;
                server_name 127.0.0.1;
                proxy_cache touchline;
                """,
                changed);
    }

    @Test
    void configuration_withoutWhatIsReplaced_isRejected() {
        assertThrows(
                IllegalArgumentException.class,
                () -> DeployedConfiguration.varnish("backend other {}", 9001));
    }
}
