package touchline.benchmarks.supply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One library of an SBOM. Immutable.
 *
 * @param name group and artifact, with a colon between them, as OSV writes it
 */
record Component(String name, String version) {
    private static final String OWN_GROUP = "dev.touchline";

    /**
     * The libraries of an SBOM, without the project's own modules.
     *
     * @param sbom CycloneDX, as JSON
     */
    static List<Component> of(Path sbom) throws IOException {
        JsonNode root = new JsonMapper().readTree(sbom.toFile());
        List<Component> components = new ArrayList<>();
        for (JsonNode each : root.path("components")) {
            String group = each.path("group").asText();
            if (!group.equals(OWN_GROUP)) {
                components.add(
                        new Component(
                                group + ":" + each.path("name").asText(),
                                each.path("version").asText()));
            }
        }
        return components;
    }
}
