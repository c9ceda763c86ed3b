package touchline.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import touchline.config.Settings.Setting;

/**
 * A configuration as it was read, with where it came from and the value of each key. Immutable, any
 * thread.
 */
public final class LoadedConfig {
    /**
     * A key's value.
     *
     * @param text as configured; empty for a secret
     * @param parsed compared: two spellings of one value are no change
     * @param reloadable whether a running server takes over a new value
     */
    record Value(String text, Object parsed, boolean reloadable) {}

    /**
     * A key with another value.
     *
     * @param from as configured before, or its default; empty for a secret
     * @param to as configured now, likewise
     * @param reloadable whether a running server takes over the new value
     */
    public record Change(String key, String from, String to, boolean reloadable) {}

    private final ConfigSource source;
    private final Map<String, Setting> settings;
    private final Map<String, Value> values;
    private final ServerConfig config;

    LoadedConfig(
            ConfigSource source,
            Map<String, Setting> settings,
            Map<String, Value> values,
            ServerConfig config) {
        this.source = source;
        this.settings = Map.copyOf(settings);
        this.values = Map.copyOf(values);
        this.config = config;
    }

    public ServerConfig config() {
        return config;
    }

    /** Reads the same sources again. */
    public ConfigSource source() {
        return source;
    }

    /** The keys whose values differ in another configuration, sorted. */
    public List<Change> changesTo(LoadedConfig next) {
        List<Change> changes = new ArrayList<>();
        new TreeMap<>(values)
                .forEach(
                        (key, before) -> {
                            Value after = Objects.requireNonNull(next.values.get(key), key);
                            if (!before.parsed().equals(after.parsed())) {
                                changes.add(
                                        new Change(
                                                key,
                                                before.text(),
                                                after.text(),
                                                before.reloadable()));
                            }
                        });
        return List.copyOf(changes);
    }

    /**
     * This configuration with the reloadable keys of another one.
     *
     * @throws ConfigException where they do not go together
     */
    public LoadedConfig reloaded(LoadedConfig next) {
        Map<String, Setting> mixed = new TreeMap<>(settings);
        for (String key : reloadableKeys()) {
            Setting setting = next.settings.get(key);
            if (setting == null) {
                mixed.remove(key);
            } else {
                mixed.put(key, setting);
            }
        }
        return source.read(mixed, List.of());
    }

    /** The keys that a running server takes over, sorted. */
    public Set<String> reloadableKeys() {
        Set<String> keys = new TreeSet<>();
        values.forEach(
                (key, value) -> {
                    if (value.reloadable()) {
                        keys.add(key);
                    }
                });
        return keys;
    }
}
