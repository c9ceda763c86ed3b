package touchline.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build runs the Maven that was chosen, and no other one. */
final class MavenWrapperTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir Path folder;

    @Test
    void distribution_hasASumForEachOfItsArchives() throws IOException {
        Properties wrapper = new Properties();
        wrapper.load(
                new StringReader(
                        Files.readString(ROOT.resolve(".mvn/wrapper/maven-wrapper.properties"))));

        for (String sum : List.of("distributionSha256Sum", "distributionTarSha256Sum")) {
            assertTrue(wrapper.getProperty(sum, "").matches("[0-9a-f]{64}"), sum);
        }
    }

    @Test
    void anotherDistribution_isRefused() throws Exception {
        HttpServer repository =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        repository.createContext(
                "/",
                exchange -> {
                    byte[] other = "not Maven".getBytes(StandardCharsets.US_ASCII);
                    exchange.sendResponseHeaders(200, other.length);
                    exchange.getResponseBody().write(other);
                    exchange.close();
                });
        repository.start();
        try {
            ProcessBuilder build =
                    new ProcessBuilder("sh", ROOT.resolve("mvnw").toString(), "--version")
                            .redirectErrorStream(true);
            build.environment()
                    .put("MVNW_REPOURL", "http://127.0.0.1:" + repository.getAddress().getPort());
            build.environment().put("MAVEN_USER_HOME", folder.toString());
            build.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process run = build.start();
            String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertEquals(1, run.waitFor(), said);
            assertTrue(said.contains("Failed to validate Maven distribution SHA-256"), said);
            assertFalse(Files.exists(folder.resolve("wrapper/dists/apache-maven-3.9.11/bin")));
        } finally {
            repository.stop(0);
        }
    }
}
