package touchline.api.app;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import touchline.config.ConfigLoader;
import touchline.config.LoadedConfig;
import touchline.config.ServerConfig;

/** The option {@code --config} of every command that needs the configuration. */
final class ConfigOption {
    @Option(
            names = NAME,
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "YAML file; the environment wins over it")
    private @Nullable Path file = installed();

    private static final String SERVE = "serve";
    private static final String NAME = "--config";

    /**
     * The option in the usual arguments of a server: {@code serve}, {@code serve --config FILE}.
     * Empty for all others, which picocli reads: no AOT cache holds its classes, since they are too
     * old, and they take a fifth of a start.
     */
    static Optional<ConfigOption> ofServe(String... arguments) {
        ConfigOption option = new ConfigOption();
        if (arguments.length == 0 || !arguments[0].equals(SERVE)) {
            return Optional.empty();
        }
        if (arguments.length == 1) {
            return Optional.of(option);
        }
        if (arguments.length == 3 && arguments[1].equals(NAME) && !arguments[2].startsWith("-")) {
            option.file = Path.of(arguments[2]);
            return Optional.of(option);
        }
        return Optional.empty();
    }

    /** The loader for this process, for a command that sets keys of its own. */
    static ConfigLoader loader() {
        return new ConfigLoader(System.getenv(), home());
    }

    /**
     * The loader for a temporary server, which may run beside a real one: its own folder and
     * secret, the API on loopback, and never the real server's database, keys or certificate.
     *
     * @param secret of the token {@code admin}
     */
    static ConfigLoader apart(Path dataDir, String secret) {
        return loader().with("data-dir", dataDir.toString())
                .with("auth.admin-secret", secret)
                .with("api.host", "127.0.0.1")
                .with("db.url", "")
                .with("auth.master-key", "")
                .with("tls.cert", "")
                .with("tls.key", "")
                .with("tls.acme.domains", "")
                .with("tls.acme.ca", "")
                .with("tls.rtmps-port", "");
    }

    /** The configuration of an installed package, from its launcher; null where there is none. */
    private static @Nullable Path installed() {
        String path = System.getProperty("touchline.config", "");
        return path.isEmpty() ? null : Path.of(path);
    }

    /** The installation folder, from the launcher. */
    static Path home() {
        return Path.of(System.getProperty("touchline.home", "")).toAbsolutePath();
    }

    /**
     * Defaults, file and environment.
     *
     * @throws touchline.config.ConfigException naming every key at fault
     */
    ServerConfig load() {
        return read().config();
    }

    /** The same, with its sources. */
    LoadedConfig read() {
        return loader().source(Optional.ofNullable(file)).load();
    }
}
