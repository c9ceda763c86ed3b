package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import touchline.media.StreamId;

/**
 * A live stream as configured; it survives restarts. Its activity is not stored: the registry of
 * running sessions has it. Immutable.
 *
 * @param accountId {@link #DEFAULT_ACCOUNT} until there are tenants
 * @param streamKey push key of the programme: secret, shown to scope {@code live:write} only
 * @param disabled publishing and playback are refused until it is enabled again
 * @param playbackIds in the order of their creation
 * @param audit empty: not moderated
 * @param watermark empty: no scoreboard
 * @param backup whether a second encoder may push the programme
 * @param createdAt cut to milliseconds
 */
public record StreamDefinition(
        StreamId id,
        String accountId,
        String streamKey,
        StreamSettings settings,
        boolean disabled,
        List<PlaybackId> playbackIds,
        Optional<AuditSettings> audit,
        Optional<WatermarkSettings> watermark,
        BackupPush backup,
        Instant createdAt) {
    public static final String DEFAULT_ACCOUNT = "default";
    public static final int MAX_PLAYBACK_IDS = 20;

    private static final int RANDOM_BITS = 128;

    public StreamDefinition {
        if (streamKey.isBlank()) {
            throw new IllegalArgumentException("stream key: blank");
        }
        playbackIds = List.copyOf(playbackIds);
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A stream without a backup. */
    public StreamDefinition(
            StreamId id,
            String accountId,
            String streamKey,
            StreamSettings settings,
            boolean disabled,
            List<PlaybackId> playbackIds,
            Optional<AuditSettings> audit,
            Optional<WatermarkSettings> watermark,
            Instant createdAt) {
        this(
                id,
                accountId,
                streamKey,
                settings,
                disabled,
                playbackIds,
                audit,
                watermark,
                BackupPush.NONE,
                createdAt);
    }

    /** A new stream identifier. */
    public static StreamId newId() {
        return new StreamId("str_" + RandomText.ofBits(RANDOM_BITS));
    }

    @Override
    public String toString() {
        return "StreamDefinition[id="
                + id
                + ", streamKey=masked, settings="
                + settings
                + ", disabled="
                + disabled
                + ", playbackIds="
                + playbackIds
                + ", audit="
                + audit
                + ", watermark="
                + watermark
                + ", backup="
                + backup
                + ", createdAt="
                + createdAt
                + "]";
    }
}
