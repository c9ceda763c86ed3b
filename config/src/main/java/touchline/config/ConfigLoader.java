package touchline.config;

import io.helidon.common.media.type.MediaTypes;
import io.helidon.config.Config;
import io.helidon.config.ConfigSources;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import touchline.config.Settings.Setting;

/**
 * Builds {@link ServerConfig} from built-in defaults, a YAML file, the environment and values set
 * by the caller. A later source overrides an earlier one. The defaults are the file {@code
 * application.yaml} of this module.
 *
 * <p>Every {@code load} throws {@link ConfigException}, which names each unknown or malformed key.
 * Immutable.
 */
public final class ConfigLoader {
    private static final int LARGEST_FILE_BYTES = 1 << 20;

    private final Map<String, String> environment;
    private final Path home;
    private final Map<String, String> overrides;

    /**
     * @param environment variables of the process; only those that begin with TOUCHLINE_ are read
     * @param home the installation folder, which holds the shipped models
     */
    public ConfigLoader(Map<String, String> environment, Path home) {
        this(environment, home, Map.of());
    }

    private ConfigLoader(
            Map<String, String> environment, Path home, Map<String, String> overrides) {
        this.environment = Map.copyOf(environment);
        this.home = home;
        this.overrides = Map.copyOf(overrides);
    }

    /** Returns a loader with a value that overrides the file and the environment. */
    public ConfigLoader with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(overrides);
        more.put(key, value);
        return new ConfigLoader(environment, home, more);
    }

    /** Without a YAML file. */
    public ServerConfig load() {
        return source(Optional.empty()).load().config();
    }

    /**
     * With a YAML file.
     *
     * @param file at most 1 MiB
     */
    public ServerConfig load(Path file) {
        return source(Optional.of(file)).load().config();
    }

    /**
     * What this loader reads, to be read once or again.
     *
     * @param file YAML, at most 1 MiB
     */
    public ConfigSource source(Optional<Path> file) {
        return new ConfigSource(this, file);
    }

    Path home() {
        return home;
    }

    LoadedConfig read(ConfigSource source, Optional<Path> file) {
        return file.isPresent()
                ? read(source, flat(file.get()), file.get().toString())
                : read(source, Map.of(), "");
    }

    private static Map<String, String> flat(Path file) {
        try {
            if (Files.size(file) > LARGEST_FILE_BYTES) {
                throw new ConfigException(
                        "%s: %d bytes (expected: <= %d)"
                                .formatted(file, Files.size(file), LARGEST_FILE_BYTES));
            }
            return flat(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: cannot be read (%s)".formatted(file, e.getClass().getSimpleName()));
        }
    }

    /** Every key and its default, in the order of {@code application.yaml}. */
    static Map<String, String> defaults() {
        try (InputStream yaml = ConfigLoader.class.getResourceAsStream("/application.yaml")) {
            if (yaml == null) {
                throw new IllegalStateException("application.yaml is not on the class path");
            }
            String text = new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
            return flat(text, "application.yaml");
        } catch (IOException e) {
            throw new IllegalStateException("application.yaml cannot be read", e);
        }
    }

    private LoadedConfig read(ConfigSource source, Map<String, String> yaml, String file) {
        KnownKeys known = new KnownKeys(defaults().keySet());
        List<String> problems = new ArrayList<>();
        Map<String, Setting> settings = new TreeMap<>();
        for (Map.Entry<String, String> entry : yaml.entrySet()) {
            addFromFile(entry.getKey(), new Setting(entry.getValue(), file), known, problems)
                    .forEach(settings::put);
        }
        settings.putAll(fromEnvironment(known, problems));
        for (Map.Entry<String, String> entry : overrides.entrySet()) {
            if (!known.contains(entry.getKey())) {
                throw new IllegalStateException(entry.getKey() + ": unknown key");
            }
            settings.put(entry.getKey(), new Setting(entry.getValue(), "the command"));
        }
        return source.read(settings, problems);
    }

    private static Map<String, Setting> addFromFile(
            String key, Setting setting, KnownKeys known, List<String> problems) {
        if (known.contains(key)) {
            return Map.of(key, setting);
        }
        if (!known.isSection(key)) {
            problems.add(
                    "%s: unknown key in %s (did you mean %s?)"
                            .formatted(key, setting.origin(), known.nearestKey(key)));
        } else if (!setting.value().isEmpty()) {
            problems.add(
                    "%s: a value in %s (expected: a section with keys below it)"
                            .formatted(key, setting.origin()));
        }
        return Map.of();
    }

    private Map<String, Setting> fromEnvironment(KnownKeys known, List<String> problems) {
        Map<String, Setting> settings = new TreeMap<>();
        for (Map.Entry<String, String> entry : new TreeMap<>(environment).entrySet()) {
            String variable = entry.getKey();
            if (!variable.startsWith(KnownKeys.PREFIX)) {
                continue;
            }
            String key = known.keyOf(variable).orElse("");
            if (key.isEmpty()) {
                problems.add(
                        "%s: unknown environment variable (did you mean %s?)"
                                .formatted(variable, known.nearestVariable(variable)));
            } else if (!entry.getValue().isEmpty()) {
                Setting setting = new Setting(entry.getValue(), "environment variable " + variable);
                Setting other = settings.put(key, setting);
                if (other != null && !other.value().equals(setting.value())) {
                    problems.add(
                            "%s: set twice, by %s and %s"
                                    .formatted(key, other.origin(), setting.origin()));
                }
            }
        }
        return settings;
    }

    /** Returns the leaves of a YAML text by dotted key. A list becomes one comma-separated text. */
    private static Map<String, String> flat(String yaml, String name) {
        Config tree;
        try {
            tree =
                    Config.builder()
                            .disableEnvironmentVariablesSource()
                            .disableSystemPropertiesSource()
                            .disableKeyResolving()
                            .disableValueResolving()
                            .disableFilterServices()
                            .sources(ConfigSources.create(yaml, MediaTypes.APPLICATION_X_YAML))
                            .build();
        } catch (io.helidon.config.ConfigException | ClassCastException e) {
            // The cause is dropped: its text quotes lines of the file, which may contain a secret.
            throw new ConfigException(name + ": not a YAML mapping" + place(e));
        }
        Map<String, String> leaves = new LinkedHashMap<>();
        addLeaves(tree, leaves);
        return leaves;
    }

    private static void addLeaves(Config node, Map<String, String> leaves) {
        switch (node.type()) {
            case OBJECT -> {
                for (Config child : node.asNodeList().orElse(List.of())) {
                    addLeaves(child, leaves);
                }
            }
            case LIST -> {
                List<String> elements = new ArrayList<>();
                for (Config element : node.asNodeList().orElse(List.of())) {
                    elements.add(element.asString().orElse("?"));
                }
                leaves.put(node.key().toString(), String.join(",", elements));
            }
            case VALUE -> leaves.put(node.key().toString(), node.asString().orElse(""));
            case MISSING -> {}
        }
    }

    private static String place(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MarkedYAMLException marked) {
                Mark mark = marked.getProblemMark();
                return " (line %d, column %d: %s)"
                        .formatted(mark.getLine() + 1, mark.getColumn() + 1, marked.getProblem());
            }
        }
        return "";
    }
}
