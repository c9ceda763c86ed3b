package touchline.moderation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads one mapping of {@code model.yaml} strictly. An invalid value is noted with its key, and the
 * default is returned. One thread, used once.
 */
final class SpecFields {
    private final JsonNode node;
    private final String path;
    private final List<String> problems;
    private final Set<String> read = new LinkedHashSet<>();

    /**
     * @param path of the mapping with a dot at the end; empty for the top level
     * @param problems receives the errors
     */
    SpecFields(JsonNode node, String path, List<String> problems) {
        this.node = node;
        this.path = path;
        this.problems = problems;
    }

    boolean has(String key) {
        return node.has(key);
    }

    String text(String key, String pattern, String expected, String fallback) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return fallback;
        }
        if (!value.isTextual() || !value.asText().matches(pattern)) {
            fault(key, value, expected);
            return fallback;
        }
        return value.asText();
    }

    String requiredText(String key, String pattern, String expected) {
        if (!node.has(key)) {
            missing(key, expected);
        }
        return text(key, pattern, expected, "");
    }

    boolean flag(String key, boolean fallback) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return fallback;
        }
        if (!value.isBoolean()) {
            fault(key, value, "true or false");
            return fallback;
        }
        return value.asBoolean();
    }

    int integer(String key, int min, int max, int fallback) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return fallback;
        }
        if (!value.isInt() || value.asInt() < min || value.asInt() > max) {
            fault(key, value, min + " to " + max);
            return fallback;
        }
        return value.asInt();
    }

    int requiredInteger(String key, int min, int max) {
        if (!node.has(key)) {
            missing(key, min + " to " + max);
        }
        return integer(key, min, max, min);
    }

    double number(String key, double min, double max, double fallback) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return fallback;
        }
        if (!isWithin(value, min, max)) {
            fault(key, value, min + " to " + max);
            return fallback;
        }
        return value.asDouble();
    }

    /** Three numbers, for R, G and B. */
    List<Double> colours(String key, double min, double max, double fallback) {
        JsonNode value = value(key);
        List<Double> none = List.of(fallback, fallback, fallback);
        if (value.isMissingNode()) {
            return none;
        }
        List<Double> numbers = new ArrayList<>();
        for (JsonNode each : value) {
            if (isWithin(each, min, max)) {
                numbers.add(each.asDouble());
            }
        }
        if (!value.isArray() || value.size() != 3 || numbers.size() != 3) {
            fault(key, value, "three numbers of " + min + " to " + max);
            return none;
        }
        return numbers;
    }

    /** An enum constant, written in lower case with hyphens. */
    <E extends Enum<E>> E constant(String key, E[] constants, E fallback) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return fallback;
        }
        List<String> names = new ArrayList<>();
        for (E constant : constants) {
            String name = constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (value.isTextual() && value.asText().equals(name)) {
                return constant;
            }
            names.add(name);
        }
        fault(key, value, String.join(", ", names));
        return fallback;
    }

    /** A list of different names. */
    List<String> names(String key, int min, int max) {
        String expected = "a list of %d to %d different names".formatted(min, max);
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            missing(key, expected);
            return List.of();
        }
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode each : value) {
            // A number is a name too: many models have no others.
            if (each.isTextual() || each.isIntegralNumber()) {
                names.add(each.asText());
            }
        }
        boolean whole = value.isArray() && names.size() == value.size();
        if (!whole || names.size() < min || names.size() > max) {
            fault(key, value, expected);
        }
        return List.copyOf(names);
    }

    /** A mapping inside this one; empty when it is missing. */
    SpecFields mapping(String key, boolean required) {
        JsonNode value = value(key);
        if (value.isMissingNode() && required) {
            missing(key, "a mapping");
        } else if (!value.isMissingNode() && !value.isObject()) {
            fault(key, value, "a mapping");
        }
        return new SpecFields(
                value.isObject() ? value : MissingNode.getInstance(), path + key + ".", problems);
    }

    Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    /** Notes the keys that were not read. */
    void done() {
        for (String key : keys()) {
            if (!read.contains(key)) {
                problems.add(path + key + ": unknown key");
            }
        }
    }

    void note(String key, String what) {
        problems.add(path + key + ": " + what);
    }

    private JsonNode value(String key) {
        read.add(key);
        return node.path(key);
    }

    private void missing(String key, String expected) {
        problems.add(path + key + ": missing (expected: " + expected + ")");
    }

    private void fault(String key, JsonNode value, String expected) {
        String shown = value.toString().replaceAll("\\p{Cntrl}", "?");
        String cut = shown.length() <= 60 ? shown : shown.substring(0, 60) + "...";
        problems.add(path + key + ": " + cut + " (expected: " + expected + ")");
    }

    private static boolean isWithin(JsonNode value, double min, double max) {
        return value.isNumber() && value.asDouble() >= min && value.asDouble() <= max;
    }
}
