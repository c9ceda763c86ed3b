package touchline.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.config.Settings.Setting;

/** The file and the environment of a configuration, which can be read again. Any thread. */
public final class ConfigSource {
    private final ConfigLoader loader;
    private final Optional<Path> file;

    ConfigSource(ConfigLoader loader, Optional<Path> file) {
        this.loader = loader;
        this.file = file;
    }

    /**
     * Reads everything now.
     *
     * @throws ConfigException names each unknown or malformed key
     */
    public LoadedConfig load() {
        return loader.read(this, file);
    }

    /**
     * @param problems found earlier, such as unknown keys
     */
    LoadedConfig read(Map<String, Setting> settings, List<String> problems) {
        Settings typed = new Settings(settings, ConfigLoader.defaults(), problems);
        ServerConfig config = new ServerConfigReader(typed, loader.home()).read();
        return new LoadedConfig(this, settings, typed.values(), config);
    }
}
