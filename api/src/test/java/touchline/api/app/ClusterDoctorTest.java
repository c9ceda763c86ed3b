package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.db.ClusterInspection;
import touchline.api.db.NodeSettings;
import touchline.config.ConfigLoader;

final class ClusterDoctorTest {
    private static final NodeSettings OWN = node("node-a", "hash", "key", "secret");

    @TempDir private Path folder;

    @Test
    void run_withoutCluster_isWarnedOf() {
        List<Finding> findings = new ClusterDoctor(new ConfigLoader(Map.of(), folder).load()).run();

        assertEquals(
                List.of(
                        Finding.warn(
                                "cluster",
                                "cluster.enabled is false",
                                "set it to true on every node, see docs/cluster.md")),
                findings);
    }

    @Test
    void findings_ofTheFirstNode_areGood() {
        assertEquals(
                List.of(
                        Finding.ok("cluster", "node node-a, beside no other node that runs"),
                        Finding.ok("cluster", "the clock of the database is 0 ms ahead")),
                ClusterDoctor.findings(OWN, inspection(Duration.ZERO, /* isDurable= */ true)));
    }

    @Test
    void findings_ofEqualNodes_nameThem() {
        List<Finding> findings =
                ClusterDoctor.findings(
                        OWN,
                        inspection(
                                Duration.ZERO,
                                /* isDurable= */ true,
                                node("node-b", "hash", "key", "secret"),
                                node("node-c", "hash", "key", "secret")));

        assertEquals(2, findings.size(), findings::toString);
        assertEquals(
                Finding.ok("cluster", "node node-a, beside node-b, node-c"), findings.getFirst());
    }

    @Test
    void findings_ofOtherSecretsAndValues_nameKeyAndNode() {
        List<Finding> findings =
                ClusterDoctor.findings(
                        OWN,
                        inspection(
                                Duration.ZERO,
                                /* isDurable= */ true,
                                node("node-b", "other", "key", "secret"),
                                node("node-c", "hash", "other", "other")));

        assertEquals(
                List.of(
                        Finding.warn(
                                "cluster",
                                "node node-b has other values of packager.*, encoder.*",
                                "give all nodes the same"),
                        Finding.fail(
                                "cluster",
                                "auth.master-key is not that of node node-c",
                                "give all nodes the same"),
                        Finding.fail(
                                "cluster",
                                "auth.admin-secret is not that of node node-c",
                                "give all nodes the same")),
                findings.subList(2, findings.size()));
    }

    /** From half a second on, which is visible in dates; nodes refuse calls after 30 s. */
    @ParameterizedTest
    @CsvSource({
        "499, OK",
        "-499, OK",
        "500, WARN",
        "-500, WARN",
        "30000, WARN",
        "-30000, WARN",
        "30001, FAIL",
        "-30001, FAIL"
    })
    void clock_aheadOrBehind_isJudged(long aheadMs, Finding.Level level) {
        Finding finding =
                ClusterDoctor.findings(
                                OWN, inspection(Duration.ofMillis(aheadMs), /* isDurable= */ true))
                        .get(1);

        assertEquals(level, finding.level());
        assertEquals("the clock of the database is %d ms ahead".formatted(aheadMs), finding.text());
        assertEquals(level != Finding.Level.OK, finding.advice().contains("chrony"));
    }

    @Test
    void commits_withoutStandby_areWarnedOf() {
        Finding last =
                ClusterDoctor.findings(OWN, inspection(Duration.ZERO, /* isDurable= */ false))
                        .getLast();

        assertEquals(Finding.Level.WARN, last.level());
        assertEquals("commits of the database wait for no standby", last.text());
        assertTrue(last.advice().contains("synchronous_standby_names"), last.advice());
    }

    private static ClusterInspection inspection(
            Duration ahead, boolean isDurable, NodeSettings... others) {
        return new ClusterInspection(ahead, List.of(others), isDurable, Map.of());
    }

    private static NodeSettings node(String id, String hash, String key, String secret) {
        return new NodeSettings(id, List.of("origin"), "1.0", hash, key, secret);
    }
}
