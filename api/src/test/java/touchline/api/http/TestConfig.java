package touchline.api.http;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import touchline.config.ApiConfig;
import touchline.config.AudioCodec;
import touchline.config.AuthConfig;
import touchline.config.ClusterConfig;
import touchline.config.DatabaseConfig;
import touchline.config.EgressConfig;
import touchline.config.EncoderConfig;
import touchline.config.EventsConfig;
import touchline.config.EvidenceConfig;
import touchline.config.HomeConfig;
import touchline.config.HttpConfig;
import touchline.config.JobsConfig;
import touchline.config.LogConfig;
import touchline.config.MediaConfig;
import touchline.config.ModerationConfig;
import touchline.config.OtelConfig;
import touchline.config.OverlayConfig;
import touchline.config.PackagerConfig;
import touchline.config.PageLimits;
import touchline.config.PlaybackConfig;
import touchline.config.PublicConfig;
import touchline.config.RetentionConfig;
import touchline.config.RtmpConfig;
import touchline.config.ServerConfig;
import touchline.config.StorageConfig;
import touchline.config.TlsConfig;
import touchline.config.TranscodingConfig;
import touchline.config.ViewersConfig;

/** Configurations of a server whose HTTP layer is tested alone. */
final class TestConfig {
    private TestConfig() {}

    /** Defaults, on a database of its own. */
    static ServerConfig of(boolean observeNeedsToken) {
        return new ServerConfig(
                Path.of("unused"),
                new ApiConfig(
                        "127.0.0.1",
                        0,
                        List.of("media.lan", "lan.test", "live.example"),
                        64 << 10,
                        256,
                        observeNeedsToken),
                new PlaybackConfig(
                        "127.0.0.1",
                        0,
                        100,
                        0,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(10),
                        25,
                        1 << 20),
                new RtmpConfig(
                        "127.0.0.1",
                        0,
                        4 << 20,
                        100,
                        0,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(30)),
                new TlsConfig(OptionalInt.empty(), Optional.empty(), Optional.empty()),
                new PublicConfig(
                        URI.create("http://api.test:8080"),
                        URI.create("http://play.test:8081"),
                        URI.create("rtmp://push.test:1935/live")),
                new AuthConfig(Optional.empty(), Optional.empty()),
                new DatabaseConfig(
                        Optional.of("jdbc:h2:mem:" + UUID.randomUUID()),
                        Optional.of("sa"),
                        Optional.of(""),
                        8),
                ClusterConfig.OFF,
                new EgressConfig(List.of()),
                new HttpConfig(List.of("10.9.0.0/16")),
                new StorageConfig(
                        1 << 30,
                        0,
                        Optional.empty(),
                        RetentionConfig.OFF,
                        EvidenceConfig.DEFAULT,
                        HomeConfig.LOCAL),
                new PackagerConfig(
                        Duration.ofSeconds(60), Duration.ofMillis(250), Set.of(AudioCodec.MP3)),
                new MediaConfig(0, MediaConfig.Isolated.OFF),
                new OverlayConfig(
                        Optional.empty(),
                        false,
                        "nobody",
                        0,
                        new PageLimits(512L << 20, 150, 256L << 20, 64)),
                ModerationConfig.of(Path.of("unused"), false, "cpu"),
                new EncoderConfig("auto", 0, "veryfast", 0, "auto", 0),
                new JobsConfig(2, 1, JobsConfig.WorkerIsolation.AUTO),
                new EventsConfig(Duration.ofDays(30), 1_000_000),
                new ViewersConfig(Duration.ofDays(400)),
                new TranscodingConfig(0, 1 << 30, Duration.ofHours(1)),
                OtelConfig.OFF,
                LogConfig.DEFAULT);
    }
}
