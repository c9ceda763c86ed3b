package touchline.benchmarks.supply;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One record of the OSV schema, as far as Maven packages need it. Immutable.
 *
 * @param osv the record
 */
record Advisory(JsonNode osv) {
    String id() {
        return osv.path("id").asText();
    }

    String summary() {
        return osv.path("summary").asText("");
    }

    /** Whether the record names this version of the package and is not withdrawn. */
    boolean affects(Component component) {
        if (osv.has("withdrawn")) {
            return false;
        }
        for (JsonNode affected : osv.path("affected")) {
            JsonNode named = affected.path("package");
            if (named.path("ecosystem").asText().equals("Maven")
                    && named.path("name").asText().equals(component.name())
                    && affects(affected, component.version())) {
                return true;
            }
        }
        return false;
    }

    private static boolean affects(JsonNode affected, String version) {
        for (JsonNode listed : affected.path("versions")) {
            if (listed.asText().equals(version)) {
                return true;
            }
        }
        for (JsonNode range : affected.path("ranges")) {
            if (range.path("type").asText().equals("ECOSYSTEM") && inside(range, version)) {
                return true;
            }
        }
        return false;
    }

    /** Events are in order: introduced, then fixed or last_affected. */
    private static boolean inside(JsonNode range, String text) {
        MavenVersion version = new MavenVersion(text);
        boolean inside = false;
        for (JsonNode event : range.path("events")) {
            String introduced = event.path("introduced").asText("");
            String fixed = event.path("fixed").asText("");
            String last = event.path("last_affected").asText("");
            if (!introduced.isEmpty() && version.compareTo(new MavenVersion(introduced)) >= 0) {
                inside = true;
            } else if (!fixed.isEmpty() && version.compareTo(new MavenVersion(fixed)) >= 0) {
                inside = false;
            } else if (!last.isEmpty() && version.compareTo(new MavenVersion(last)) > 0) {
                inside = false;
            }
        }
        return inside;
    }
}
