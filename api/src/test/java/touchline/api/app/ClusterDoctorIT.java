package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.cluster.NodeReport;
import touchline.api.cluster.NodeSignature;
import touchline.api.db.ClusterRows;
import touchline.api.db.Database;
import touchline.api.db.TestPostgres;
import touchline.api.domain.NodeMeasurements;
import touchline.api.egress.RawReceiver;
import touchline.config.ConfigLoader;
import touchline.config.DatabaseConfig;
import touchline.config.ServerConfig;
import touchline.media.net.FreePorts;

/** Nodes in a real database, whose ports give prepared answers. A cluster needs PostgreSQL. */
final class ClusterDoctorIT {
    private static final DatabaseConfig DATABASE = TestPostgres.newDatabase();

    @TempDir private Path folder;

    @Test
    void run_beforeTheFirstNode_fails() {
        Finding only = run(TestPostgres.newDatabase()).getFirst();

        assertEquals(Finding.Level.FAIL, only.level());
        assertTrue(only.text().startsWith("db.url: cannot read the nodes of "), only::text);
        assertEquals("start the first node alone: it makes the tables", only.advice());
    }

    @Test
    void run_databaseAway_fails() throws Exception {
        DatabaseConfig away =
                new DatabaseConfig(
                        Optional.of("jdbc:postgresql://127.0.0.1:%d/x".formatted(FreePorts.next())),
                        Optional.of("postgres"),
                        Optional.of("postgres"),
                        /* maxConnections= */ 4);

        List<Finding> findings = run(away);

        assertEquals(1, findings.size(), findings::toString);
        assertEquals(Finding.Level.FAIL, findings.getFirst().level());
    }

    /** One that answers, one at the address of another, two that do not answer, one that starts. */
    @Test
    void run_besideNodes_asksEachOne() throws Exception {
        String closed = "http://127.0.0.1:" + FreePorts.next();
        try (RawReceiver good = answering(report("node-b"));
                RawReceiver refusing = new RawReceiver(RawReceiver.status(403));
                Database database = Database.open(DATABASE, folder)) {
            ClusterRows.node(database, "node-a", "http://127.0.0.1:1");
            ClusterRows.node(database, "node-b", address(good));
            ClusterRows.node(database, "node-c", address(good));
            ClusterRows.node(database, "node-d", address(refusing));
            ClusterRows.node(database, "node-e", closed);
            ClusterRows.node(database, "node-f", "");
            ClusterRows.node(database, "node-g", address(good));
            ClusterRows.late(database, "node-g");

            List<Finding> findings = run(DATABASE);

            assertEquals(
                    Finding.ok(
                            "cluster",
                            "node node-a, beside node-b, node-c, node-d, node-e, node-f"),
                    findings.getFirst());
            assertTrue(
                    findings.stream().anyMatch(it -> it.text().contains("wait for no standby")),
                    findings::toString);
            List<Finding> calls = findings.subList(findings.size() - 6, findings.size());
            assertEquals(
                    Finding.ok("cluster", "node node-b answers at " + address(good)), calls.get(0));
            assertEquals(
                    Finding.fail(
                            "cluster",
                            "node node-b answers at %s, which node node-c advertises"
                                    .formatted(address(good)),
                            "set cluster.advertise at node node-c"),
                    calls.get(1));
            assertEquals(
                    "node node-d does not answer at %s: node node-d answered 403 (expected: 200)"
                            .formatted(address(refusing)),
                    calls.get(2).text());
            assertEquals(Finding.Level.FAIL, calls.get(3).level());
            assertTrue(
                    calls.get(3).text().startsWith("node node-e does not answer at " + closed),
                    calls.get(3)::text);
            assertEquals(
                    Finding.warn(
                            "cluster",
                            "node node-f has not opened its port for nodes yet",
                            "try again"),
                    calls.get(4));
            assertEquals(
                    Finding.ok("cluster", "other nodes are told http://10.0.0.5:8082"),
                    calls.get(5));
            assertTrue(
                    good.requests().getFirst().header(NodeSignature.HEADER).startsWith("node-a."));
        }
    }

    private static RawReceiver answering(NodeReport report) {
        String json = report.toJson().toString();
        return new RawReceiver(
                (_, out) -> {
                    RawReceiver.write(out, RawReceiver.head(200, json.length()) + json);
                    return true;
                });
    }

    private static NodeReport report(String node) {
        return new NodeReport(
                node,
                /* incarnation= */ 3,
                /* hasDatabase= */ true,
                /* databaseMs= */ 5,
                new NodeMeasurements(Duration.ZERO, Optional.empty()));
    }

    private static String address(RawReceiver node) {
        return node.url("").toString();
    }

    private List<Finding> run(DatabaseConfig database) {
        Map<String, String> environment = StartedServer.node("node-a", database);
        environment.put("TOUCHLINE_ADMIN_SECRET", "test-admin-secret-0123456789");
        environment.put("TOUCHLINE_CLUSTER_ADVERTISE", "10.0.0.5");
        ServerConfig config =
                new ConfigLoader(environment, folder).with("data-dir", folder.toString()).load();
        return new ClusterDoctor(config).run();
    }
}
