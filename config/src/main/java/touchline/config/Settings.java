package touchline.config;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reads settings with their types. Collects all errors, so that one start reports every invalid
 * key. An invalid value is replaced by its default until {@link #check} throws.
 *
 * <p>One thread, used once.
 */
final class Settings {
    /**
     * @param value the configured text
     * @param origin its source, as shown in messages
     */
    record Setting(String value, String origin) {}

    private static final Set<String> SECRETS =
            Set.of(
                    "auth.admin-secret",
                    "auth.master-key",
                    "db.url",
                    "db.password",
                    "otel.headers",
                    "storage.s3.access-key",
                    "storage.s3.secret-key");
    private static final int LONGEST_SHOWN = 100;

    private final Map<String, Setting> settings;
    private final Map<String, String> defaults;
    private final List<String> problems;
    private final Map<String, Object> parsed = new TreeMap<>();
    private final Set<String> reloadable = new TreeSet<>();

    /**
     * @param problems problems found earlier, such as unknown keys
     */
    Settings(Map<String, Setting> settings, Map<String, String> defaults, List<String> problems) {
        this.settings = Map.copyOf(settings);
        this.defaults = Map.copyOf(defaults);
        this.problems = new ArrayList<>(problems);
    }

    int integer(String key, int min, int max) {
        return read(
                key,
                min + " to " + max,
                text -> Math.toIntExact(within(Long.parseLong(text), min, max)));
    }

    /** A fraction of 0 to 1, in decimal notation. */
    double share(String key) {
        return read(key, "0 to 1", text -> Double.valueOf(matching(text, "0(\\.\\d+)?|1(\\.0+)?")));
    }

    int port(String key) {
        return integer(key, 0, 65_535);
    }

    long sizeBytes(String key, long min, long max) {
        String expected = ValueText.ofSize(min) + " to " + ValueText.ofSize(max);
        return read(key, expected, text -> within(ValueText.parseSize(text), min, max));
    }

    Duration duration(String key, Duration min, Duration max) {
        String expected = ValueText.ofDuration(min) + " to " + ValueText.ofDuration(max);
        return read(
                key,
                expected,
                text -> {
                    Duration duration = ValueText.parseDuration(text);
                    within(duration.toMillis(), min.toMillis(), max.toMillis());
                    return duration;
                });
    }

    boolean flag(String key) {
        return read(
                key,
                "true or false",
                text ->
                        switch (text) {
                            case "true" -> true;
                            case "false" -> false;
                            default -> throw new IllegalArgumentException(text);
                        });
    }

    /** Reads a text that must match the whole pattern. */
    String text(String key, String pattern, String expected) {
        return read(key, expected, text -> matching(text, pattern));
    }

    /** As {@link #text}; empty if the setting is empty. */
    Optional<String> optionalText(String key, String pattern, String expected) {
        return optional(key, expected, text -> matching(text, pattern));
    }

    <T> Optional<T> optional(String key, String expected, Function<String, T> parser) {
        return read(
                key,
                expected + ", or empty",
                text -> text.isEmpty() ? Optional.empty() : Optional.of(parser.apply(text)));
    }

    Path path(String key) {
        return read(
                key,
                "a path",
                text -> {
                    if (text.isBlank()) {
                        throw new IllegalArgumentException("blank");
                    }
                    return ValueText.parsePath(text);
                });
    }

    /** Splits a text at commas, trims each item and skips empty ones. */
    List<String> list(String key, String expected, Function<String, String> element) {
        return read(
                key,
                expected,
                text -> {
                    List<String> elements = new ArrayList<>();
                    for (String part : text.split(",", -1)) {
                        if (!part.isBlank()) {
                            elements.add(element.apply(part.strip()));
                        }
                    }
                    return List.copyOf(elements);
                });
    }

    /** Whether the value is the default. */
    boolean isDefault(String key) {
        return !settings.containsKey(key);
    }

    /** Marks a key whose new value a running server takes over. */
    void reloadable(String key) {
        reloadable.add(key);
    }

    /** Every key that was read, with its value. */
    Map<String, LoadedConfig.Value> values() {
        Map<String, LoadedConfig.Value> values = new TreeMap<>();
        parsed.forEach(
                (key, value) ->
                        values.put(
                                key,
                                new LoadedConfig.Value(
                                        text(key), value, reloadable.contains(key))));
        return values;
    }

    private String text(String key) {
        if (SECRETS.contains(key)) {
            return "";
        }
        Setting setting = settings.get(key);
        return setting == null ? defaults.getOrDefault(key, "") : setting.value().strip();
    }

    /** Records an error that concerns several keys. */
    void fault(String key, String what) {
        problems.add(key + ": " + what);
    }

    /**
     * Finishes reading.
     *
     * @throws ConfigException names every invalid key
     */
    void check() {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    private <T> T read(String key, String expected, Function<String, T> parser) {
        String byDefault = defaults.get(key);
        if (byDefault == null) {
            throw new IllegalStateException(key + ": no default in application.yaml");
        }
        Setting setting = settings.get(key);
        if (setting != null) {
            try {
                return kept(key, parser.apply(setting.value().strip()));
            } catch (IllegalArgumentException | ArithmeticException _) {
                fault(
                        key,
                        "%s (expected: %s; from %s)"
                                .formatted(shown(key, setting), expected, setting.origin()));
            }
        }
        return kept(key, parser.apply(byDefault));
    }

    private <T> T kept(String key, T value) {
        parsed.put(key, value);
        return value;
    }

    private static String shown(String key, Setting setting) {
        if (SECRETS.contains(key)) {
            return "a value that is not shown";
        }
        String oneLine = setting.value().replaceAll("\\p{Cntrl}", "?");
        return oneLine.length() <= LONGEST_SHOWN
                ? "'" + oneLine + "'"
                : "'" + oneLine.substring(0, LONGEST_SHOWN) + "...'";
    }

    private static long within(long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(BigDecimal.valueOf(value).toPlainString());
        }
        return value;
    }

    private static String matching(String text, String pattern) {
        if (!text.matches(pattern)) {
            throw new IllegalArgumentException("does not match " + pattern);
        }
        return text;
    }
}
