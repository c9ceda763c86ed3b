package touchline.benchmarks.supply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;

class AdvisoryCheckTest {
    private static final String SBOM =
            """
            {"bomFormat": "CycloneDX", "components": [
              {"group": "io.netty", "name": "netty-codec-http", "version": "4.2.18.Final"},
              {"group": "dev.touchline", "name": "touchline-config", "version": "0.1.0"},
              {"group": "org.slf4j", "name": "slf4j-api", "version": "2.0.20"}]}
            """;
    private static final String RECORD =
            """
            {"id": "GHSA-1", "summary": "smuggling", "affected": [
              {"package": {"ecosystem": "Maven", "name": "io.netty:netty-codec-http"},
               "ranges": [{"type": "ECOSYSTEM",
                           "events": [{"introduced": "4.2.0"}, {"fixed": "%s"}]}]}]}
            """;

    @TempDir Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void writeSbom() throws IOException {
        Files.writeString(folder.resolve("sbom.json"), SBOM);
    }

    @Test
    void folder_withAnAdvisoryForAVersion_namesBoth() throws Exception {
        Path records = Files.createDirectory(folder.resolve("osv"));
        Files.writeString(records.resolve("GHSA-1.json"), RECORD.formatted("4.2.19.Final"));

        assertEquals(1, run(records.toString()));
        assertTrue(text().contains("netty-codec-http | 4.2.18.Final | GHSA-1 smuggling"), text());
        assertTrue(text().contains("2 libraries compared with 1 OSV records"), text());
    }

    @Test
    void zip_withAnAdvisoryForOlderVersions_findsNothing() throws Exception {
        Path zip = folder.resolve("all.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("GHSA-1.json"));
            out.write(RECORD.formatted("4.2.18.Final").getBytes(UTF_8));
        }

        assertEquals(0, run(zip.toString()));
        assertTrue(text().contains("0 have advisories"), text());
    }

    @Test
    void withdrawnAdvisory_isLeftOut() throws Exception {
        Path records = Files.createDirectory(folder.resolve("osv"));
        String record = RECORD.formatted("5").replace("\"id\"", "\"withdrawn\": \"now\", \"id\"");
        Files.writeString(records.resolve("GHSA-1.json"), record);

        assertEquals(0, run(records.toString()));
    }

    @Test
    void service_isAskedForEachLibrary() throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/v1/querybatch",
                exchange -> {
                    byte[] reply =
                            "{\"results\": [{\"vulns\": [{\"id\": \"GHSA-2\"}]}, {}]}"
                                    .getBytes(UTF_8);
                    exchange.sendResponseHeaders(200, reply.length);
                    exchange.getResponseBody().write(reply);
                    exchange.close();
                });
        server.start();
        try {
            String address = "http://127.0.0.1:" + server.getAddress().getPort();

            assertEquals(1, run("--service", address));
            assertTrue(text().contains("netty-codec-http | 4.2.18.Final | GHSA-2"), text());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void nothingToCompareWith_isSaid() throws Exception {
        assertEquals(AdvisoryCheck.NO_DATA, run(folder.resolve("missing").toString()));
        assertTrue(text().contains("no OSV data"), text());

        assertEquals(AdvisoryCheck.NO_DATA, run("--service", "http://127.0.0.1:1"));
        assertTrue(text().contains("Nothing was compared"), text());
    }

    private int run(String... arguments) throws Exception {
        Report report = new Report("advisories", new PrintStream(printed, true, UTF_8), folder);
        List<String> all =
                Stream.concat(
                                Stream.of(arguments),
                                Stream.of("--sbom", folder.resolve("sbom.json").toString()))
                        .toList();
        int exit = new AdvisoryCheck(new Arguments(all), report).run();
        report.finish();
        return exit;
    }

    private String text() {
        return printed.toString(UTF_8);
    }
}
