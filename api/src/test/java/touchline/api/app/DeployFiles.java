package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The folder {@code deploy} of the repository. */
final class DeployFiles {
    static final String ALERTS = "prometheus/alerts.yaml";
    static final String ALERT_TESTS = "prometheus/alerts.test.yaml";
    static final String BOARD = "grafana/touchline.json";

    private DeployFiles() {}

    /** Surefire runs in the module's folder. */
    static Path repository() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("deploy")) ? here : here.resolve("..").normalize();
    }

    static Path at(String name) {
        return repository().resolve("deploy").resolve(name);
    }

    static String text(String name) throws IOException {
        return Files.readString(at(name));
    }

    static JsonNode yaml(String name) throws IOException {
        return new YAMLMapper().readTree(text(name));
    }

    /** Every rule of {@link #ALERTS}. */
    static List<JsonNode> alerts() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        yaml(ALERTS).path("groups").forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    static JsonNode board() throws IOException {
        return new ObjectMapper().readTree(text(BOARD));
    }

    /** The panels of {@link #BOARD}; its rows are not collapsed. */
    static List<JsonNode> panels() throws IOException {
        List<JsonNode> panels = new ArrayList<>();
        board().path("panels").forEach(panels::add);
        return panels;
    }
}
