package touchline.api.app;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import touchline.config.ServerConfig;

/** The options that select a command's server and secret. */
final class ServerOption {
    @Mixin private ConfigOption config = new ConfigOption();

    @Option(
            names = "--url",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "address of the control API; by default this host's, by configuration")
    private @Nullable URI url;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "file with the admin secret; by default <data-dir>/admin-secret")
    private @Nullable Path secretFile;

    /** A client with the admin secret; the caller closes it. */
    ApiClient client() {
        ServerConfig loaded = config.load();
        return new ApiClient(
                url == null ? localUrl(loaded) : url, secret(loaded), ServerTrust.of(loaded));
    }

    /** Whether an address was named, so that this host's server is not meant. */
    boolean hasUrl() {
        return url != null;
    }

    ServerConfig config() {
        return config.load();
    }

    /** Whether this host's server answers. */
    static boolean isRunning(ServerConfig config) {
        try (ApiClient client = new ApiClient(localUrl(config), "", ServerTrust.of(config))) {
            return client.isServer();
        } catch (StartException _) {
            // The certificate cannot be read: no server runs with it.
            return false;
        }
    }

    /**
     * The API address of this host's server. A certificate need not name it: see {@link
     * ServerTrust}.
     */
    static URI localUrl(ServerConfig config) {
        String scheme = config.tls().isEnabled() ? "https" : "http";
        String host =
                switch (config.api().host()) {
                    case "0.0.0.0" -> "127.0.0.1";
                    case "::" -> "[::1]";
                    case String other -> other.contains(":") ? "[" + other + "]" : other;
                };
        return URI.create(scheme + "://" + host + ":" + config.api().port());
    }

    private String secret(ServerConfig loaded) {
        if (secretFile == null && loaded.auth().adminSecret().isPresent()) {
            return loaded.auth().adminSecret().get();
        }
        Path file = secretFile == null ? loaded.dataDir().resolve("admin-secret") : secretFile;
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandException(
                    "%s cannot be read: name the admin secret's file with --secret-file, or the server's configuration with --config (%s)"
                            .formatted(file, e.getClass().getSimpleName()),
                    e);
        }
    }
}
