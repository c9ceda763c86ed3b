package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import touchline.config.ConfigLoader;
import touchline.config.ServerConfig;

/**
 * Structure of the alert rules and of the board. Grafana publishes no JSON Schema of its boards,
 * only types for TypeScript (npm, @grafana/schema; the board is a {@code Dashboard} of 11.6). The
 * rules here are those of its importer.
 */
final class DeployFilesTest {
    private static final Pattern HEADING = Pattern.compile("(?m)^#{2,4} (.+)$");
    private static final int COLUMNS = 24;

    @Test
    void alerts_haveTextsAndAPlaceInTheDocuments() throws IOException {
        Set<String> anchors = anchors("docs/observability.md");
        TreeSet<String> names = new TreeSet<>();
        for (JsonNode rule : DeployFiles.alerts()) {
            String name = rule.path("alert").asText();
            assertTrue(names.add(name), name + " twice");
            assertTrue(
                    Set.of("warning", "critical").contains(rule.at("/labels/severity").asText()),
                    name);
            for (String text : List.of("summary", "description", "runbook")) {
                assertFalse(rule.path("annotations").path(text).asText().isBlank(), name + text);
            }
            String runbook = rule.at("/annotations/runbook").asText();
            assertTrue(runbook.startsWith("docs/observability.md#"), name);
            assertTrue(anchors.contains(runbook.substring(runbook.indexOf('#') + 1)), runbook);
        }
        assertTrue(names.size() > 30, names::toString);
    }

    @Test
    void alerts_areInTheTableOfTheDocuments() throws IOException {
        String page = Files.readString(DeployFiles.repository().resolve("docs/observability.md"));
        for (JsonNode rule : DeployFiles.alerts()) {
            String name = rule.path("alert").asText();
            assertTrue(page.contains("`" + name + "`"), name);
        }
    }

    @Test
    void alerts_haveATestThatFiresAndOneThatDoesNot() throws IOException {
        TreeSet<String> rules = new TreeSet<>();
        DeployFiles.alerts().forEach(rule -> rules.add(rule.path("alert").asText()));
        TreeSet<String> fire = new TreeSet<>();
        TreeSet<String> quiet = new TreeSet<>();
        for (JsonNode test : DeployFiles.yaml(DeployFiles.ALERT_TESTS).path("tests")) {
            for (JsonNode expected : test.path("alert_rule_test")) {
                (expected.path("exp_alerts").isEmpty() ? quiet : fire)
                        .add(expected.path("alertname").asText());
            }
        }

        assertEquals(rules, fire);
        assertEquals(rules, quiet);
    }

    /** With the settings of the file every node of a cluster starts. */
    @Test
    void nodesOfACluster_haveWhatAStartNeeds() throws IOException {
        JsonNode file = DeployFiles.yaml("cluster/compose.yaml");
        String balancer = DeployFiles.text("cluster/haproxy.cfg");
        Map<String, String> settings = new HashMap<>();
        file.at("/x-node/environment")
                .properties()
                .forEach(each -> settings.put(each.getKey(), each.getValue().asText()));
        settings.put("TOUCHLINE_MASTER_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        settings.put("TOUCHLINE_ADMIN_SECRET", "0123456789abcdef");
        for (String node : List.of("node-1", "node-2", "node-3")) {
            JsonNode own = file.at("/services/" + node + "/environment/TOUCHLINE_CLUSTER_NODE");
            settings.put("TOUCHLINE_CLUSTER_NODE", own.asText());
            ServerConfig config = new ConfigLoader(settings, Path.of(".")).load();

            assertTrue(config.cluster().enabled());
            assertEquals(Optional.of(node), config.cluster().node());
            for (int port :
                    List.of(config.api().port(), config.playback().port(), config.rtmp().port())) {
                assertTrue(balancer.contains(node + ":" + port + " check"), node + port);
            }
        }
    }

    @Test
    void cacheOfACluster_hasTheRulesOfTheCacheOfOneServer() throws IOException {
        assertEquals(rules("varnish/touchline.vcl"), rules("cluster/varnish.vcl"));
    }

    private static String rules(String name) throws IOException {
        String vcl = DeployFiles.text(name);
        return vcl.substring(vcl.indexOf("sub vcl_recv"));
    }

    /** Statements that a node prepares are not there in the next transaction. */
    @Test
    void pgbouncer_lendsConnectionsForTransactions_withTheTimeOutOfNodes() throws IOException {
        String file = DeployFiles.text("cluster/pgbouncer.ini");
        assertTrue(file.contains("\npool_mode = transaction\n"), file);
        assertTrue(file.contains("\nignore_startup_parameters = extra_float_digits\n"), file);
        String page = Files.readString(DeployFiles.repository().resolve("docs/cluster.md"));
        assertTrue(page.contains(":6432/touchline?prepareThreshold=0"), page);
    }

    @Test
    void board_canBeImported() throws IOException {
        JsonNode board = DeployFiles.board();
        assertEquals("touchline", board.path("uid").asText());
        assertTrue(board.path("schemaVersion").asInt() >= 36, "schemaVersion");
        Set<String> variables = new HashSet<>();
        board.at("/templating/list").forEach(each -> variables.add(each.path("name").asText()));
        assertEquals(Set.of("datasource", "instance"), variables);
        assertEquals("datasource", board.at("/templating/list/0/type").asText());

        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : DeployFiles.panels()) {
            String title = panel.path("title").asText();
            assertTrue(ids.add(panel.path("id").asInt()), title + ": id twice");
            assertTrue(
                    Set.of("row", "stat", "timeseries").contains(panel.path("type").asText()),
                    title);
            if (!panel.path("type").asText().equals("row")) {
                drawable(panel, title);
            }
        }
    }

    private static void drawable(JsonNode panel, String title) {
        assertFalse(panel.path("description").asText().isBlank(), title);
        assertFalse(panel.at("/fieldConfig/defaults/unit").asText().isBlank(), title);
        assertTrue(panel.at("/fieldConfig/overrides").isArray(), title);
        assertFalse(panel.path("targets").isEmpty(), title);
        Set<String> refs = new HashSet<>();
        for (JsonNode target : panel.path("targets")) {
            assertTrue(refs.add(target.path("refId").asText()), title);
            assertEquals("${datasource}", target.at("/datasource/uid").asText(), title);
            assertEquals("prometheus", target.at("/datasource/type").asText(), title);
            assertTrue(target.path("expr").asText().contains("$instance"), title);
        }
    }

    @Test
    void panels_lieInTheGridWithoutOverlap() throws IOException {
        Set<Integer> taken = new HashSet<>();
        for (JsonNode panel : DeployFiles.panels()) {
            JsonNode at = panel.path("gridPos");
            String title = panel.path("title").asText();
            int right = at.path("x").asInt(-1) + at.path("w").asInt();
            assertTrue(at.path("x").asInt(-1) >= 0 && right <= COLUMNS, title);
            assertTrue(at.path("w").asInt() > 0 && at.path("h").asInt() > 0, title);
            for (int x = at.path("x").asInt(); x < right; x++) {
                for (int y = 0; y < at.path("h").asInt(); y++) {
                    assertTrue(taken.add((at.path("y").asInt() + y) * COLUMNS + x), title);
                }
            }
        }
    }

    @Test
    void legends_nameLabelsThatTheirSeriesMayHave() throws IOException {
        List<String> empty = new ArrayList<>();
        for (JsonNode panel : DeployFiles.panels()) {
            int targets = panel.path("targets").size();
            for (JsonNode target : panel.path("targets")) {
                if (targets > 1 && target.path("legendFormat").asText().isBlank()) {
                    empty.add(panel.path("title").asText());
                }
            }
        }
        assertEquals(List.of(), empty);
    }

    /** As web sites of repositories make them from headings. */
    private static Set<String> anchors(String page) throws IOException {
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(Files.readString(DeployFiles.repository().resolve(page)));
        while (heading.find()) {
            anchors.add(
                    heading.group(1)
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("[^a-z0-9 -]", "")
                            .replace(' ', '-'));
        }
        return anchors;
    }
}
