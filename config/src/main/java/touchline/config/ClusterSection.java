package touchline.config;

import java.time.Duration;
import java.util.List;

/** Reads {@code cluster}, and checks what it needs of other sections. One thread, used once. */
final class ClusterSection {
    private static final String NODE = "[A-Za-z0-9][A-Za-z0-9.-]{0,31}";

    private final Settings settings;

    ClusterSection(Settings settings) {
        this.settings = settings;
    }

    ClusterConfig read(DatabaseConfig db, AuthConfig auth) {
        boolean enabled = settings.flag("cluster.enabled");
        List<ClusterConfig.Role> roles =
                settings
                        .list(
                                "cluster.roles",
                                "origin, edge, jobs, at least one",
                                text -> ClusterConfig.Role.of(text).wireName())
                        .stream()
                        .distinct()
                        .map(ClusterConfig.Role::of)
                        .toList();
        ClusterConfig config =
                new ClusterConfig(
                        enabled,
                        settings.optionalText(
                                "cluster.node",
                                NODE,
                                "1 to 32 letters, digits, dots and dashes, such as node-1"),
                        roles,
                        settings.sizeBytes("cluster.edge-cache", 16 << 20, 1L << 40),
                        settings.duration(
                                "cluster.lease", Duration.ofSeconds(2), Duration.ofMinutes(1)),
                        settings.duration(
                                "cluster.heartbeat",
                                Duration.ofMillis(100),
                                Duration.ofSeconds(20)),
                        settings.text(
                                "cluster.host",
                                ServerConfigReader.HOST,
                                "a host name or an address"),
                        settings.port("cluster.port"),
                        settings.optionalText(
                                "cluster.advertise",
                                ServerConfigReader.HOST,
                                "a host name or an IP address, such as 10.0.0.5"));
        check(config);
        if (enabled) {
            require("auth.master-key", auth.masterKey().isPresent());
            require("auth.admin-secret", auth.adminSecret().isPresent());
            require("public.api-url", !settings.isDefault("public.api-url"));
            require("public.playback-url", !settings.isDefault("public.playback-url"));
            require("public.rtmp-url", !settings.isDefault("public.rtmp-url"));
            require(
                    "db.url",
                    db.url().filter(url -> url.startsWith("jdbc:postgresql:")).isPresent());
        }
        return config;
    }

    private void check(ClusterConfig config) {
        if (config.roles().isEmpty()) {
            settings.fault("cluster.roles", "empty (expected: origin, edge, jobs, at least one)");
        }
        if (config.heartbeat().multipliedBy(3).compareTo(config.lease()) > 0) {
            settings.fault(
                    "cluster.heartbeat",
                    "%s (expected: at most a third of cluster.lease, %s)"
                            .formatted(
                                    ValueText.ofDuration(config.heartbeat()),
                                    ValueText.ofDuration(config.lease())));
        }
    }

    private void require(String key, boolean isSet) {
        if (!isSet) {
            String what =
                    key.equals("db.url") ? "a jdbc:postgresql: address" : "the same on all nodes";
            settings.fault(
                    key, "not set (expected: %s, as cluster.enabled is true)".formatted(what));
        }
    }
}
