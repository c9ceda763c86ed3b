package touchline.api.domain;

import java.util.Optional;
import touchline.media.hub.FailoverSettings;

/**
 * {@code backup}: whether a second encoder may push the programme of a live stream, and when the
 * programme switches between both. Immutable.
 *
 * @param streamKey push key of the second encoder: secret; empty where there is none
 * @param failover kept while there is no backup
 */
public record BackupPush(Optional<String> streamKey, FailoverSettings failover) {
    /** Of a new stream. */
    public static final BackupPush NONE =
            new BackupPush(Optional.empty(), FailoverSettings.DEFAULTS);

    public BackupPush {
        if (streamKey.isPresent() && streamKey.get().isBlank()) {
            throw new IllegalArgumentException("backup stream key: blank");
        }
    }

    public boolean isOn() {
        return streamKey.isPresent();
    }

    @Override
    public String toString() {
        return "BackupPush[" + (isOn() ? "streamKey=masked, " : "off, ") + failover + "]";
    }
}
