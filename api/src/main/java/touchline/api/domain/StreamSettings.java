package touchline.api.domain;

import touchline.media.hub.StandbySettings;
import touchline.media.rendition.RenditionSettings;

/**
 * The settings of a live stream that PATCH changes. Immutable.
 *
 * @param title shown in events and in the console; empty without one
 * @param userMetadata free text of the client; empty without one
 * @param record whether sessions are recorded
 * @param signalWatch whether sessions are watched for faults of audio and video; also while active
 * @param standby what viewers get while no encoder sends, also of the running session; its title is
 *     empty: that of the stream counts
 * @param renditions smaller versions of the video for viewers, from the next session on
 * @param reconnectWindowSeconds how long a session waits for its encoder, 0 to 1800
 */
public record StreamSettings(
        String title,
        String userMetadata,
        LatencyMode latencyMode,
        boolean record,
        int reconnectWindowSeconds,
        Mp4Support mp4Support,
        RenditionSettings renditions,
        boolean signalWatch,
        StandbySettings standby) {
    public static final int MAX_RECONNECT_WINDOW_SECONDS = 1800;

    /** The defaults of a new stream. */
    public static final StreamSettings DEFAULTS =
            new StreamSettings(
                    "",
                    "",
                    LatencyMode.STANDARD,
                    false,
                    60,
                    Mp4Support.CAPPED_1080P,
                    RenditionSettings.NONE,
                    false,
                    StandbySettings.NONE);

    public StreamSettings {
        if (reconnectWindowSeconds < 0 || reconnectWindowSeconds > MAX_RECONNECT_WINDOW_SECONDS) {
            throw new IllegalArgumentException(
                    "reconnect_window: " + reconnectWindowSeconds + " (expected: 0 to 1800)");
        }
    }
}
