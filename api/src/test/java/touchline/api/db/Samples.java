package touchline.api.db;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.StreamKeys;
import touchline.api.domain.AudioMixSettings;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.BackupPush;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Mp4Support;
import touchline.api.domain.OverlaySettings;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.domain.WatermarkSettings;
import touchline.media.hub.FailoverSettings;
import touchline.media.hub.StandbySettings;
import touchline.media.rendition.RenditionSettings;

/** Values for the contracts. */
final class Samples {
    static final Instant NOW = Instant.parse("2026-03-04T05:06:07.089Z");

    static final OverlaySettings OVERLAY =
            new OverlaySettings(
                    Optional.of("25%"),
                    Optional.empty(),
                    Optional.of("middle"),
                    Optional.of("right"),
                    Optional.of("80%"),
                    Optional.of("2%"),
                    Optional.empty());

    static final WatermarkSettings HTML =
            new WatermarkSettings.Html("https://example.com/score", 10, Optional.of(OVERLAY));

    private Samples() {}

    static StreamKeyVault vault() {
        String key = Base64.getEncoder().encodeToString(new byte[32]);
        return new StreamKeys(
                new SecretBox(MasterKeys.load(Optional.of(key), Path.of("does-not-exist"))));
    }

    /** Defaults throughout, one public playback id. */
    static StreamDefinition stream() {
        return new StreamDefinition(
                StreamDefinition.newId(),
                StreamDefinition.DEFAULT_ACCOUNT,
                StreamKeys.create(),
                StreamSettings.DEFAULTS,
                /* disabled= */ false,
                List.of(PlaybackId.create(PlaybackPolicy.PUBLIC)),
                Optional.empty(),
                Optional.empty(),
                NOW);
    }

    /** Everything set to something else than its default. */
    static StreamDefinition fullStream() {
        return new StreamDefinition(
                StreamDefinition.newId(),
                StreamDefinition.DEFAULT_ACCOUNT,
                StreamKeys.create(),
                new StreamSettings(
                        "Cup final 'äöü' \"🏆\"",
                        "{\"match\": 7}\n\ttab",
                        LatencyMode.LOW,
                        /* record= */ true,
                        /* reconnectWindowSeconds= */ 0,
                        Mp4Support.NONE,
                        new RenditionSettings(
                                /* auto= */ false,
                                List.of(
                                        new RenditionSettings.Rendition(480, 1_200_000, 25),
                                        RenditionSettings.Rendition.of(360))),
                        /* signalWatch= */ true,
                        new StandbySettings(
                                StandbySettings.Mode.FREEZE,
                                Duration.ofMillis(300),
                                Optional.empty(),
                                "")),
                /* disabled= */ true,
                List.of(
                        PlaybackId.create(PlaybackPolicy.SIGNED),
                        PlaybackId.create(PlaybackPolicy.PUBLIC),
                        PlaybackId.create(PlaybackPolicy.SIGNED)),
                Optional.of(audit()),
                Optional.of(streamWatermark(StreamKeys.create())),
                new BackupPush(
                        Optional.of(StreamKeys.create()),
                        new FailoverSettings(Duration.ofMillis(2_500), Duration.ZERO)),
                NOW);
    }

    static AuditSettings audit() {
        LinkedHashMap<String, Double> models = new LinkedHashMap<>();
        models.put("weapon", 0.7);
        models.put("nude", 0.3);
        models.put("a-third", 1.0);
        return new AuditSettings(5, 3, models, AuditSettings.OnReject.DISABLE, /* gate= */ true);
    }

    static WatermarkSettings streamWatermark(String key) {
        return new WatermarkSettings.Stream(
                key,
                new AudioMixSettings(AudioMixSettings.Mode.MIX, 0.25, 1),
                Optional.of(OVERLAY));
    }
}
