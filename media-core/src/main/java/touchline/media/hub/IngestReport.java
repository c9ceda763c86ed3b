package touchline.media.hub;

import java.time.Instant;
import java.util.List;
import touchline.media.Track;

/**
 * What a session's publisher sends, as measured. Immutable, any thread.
 *
 * @param tracks of the newest timeline; empty before the first
 * @param width picture width in samples, 0 where unknown
 * @param height picture height in rows, 0 where unknown
 * @param frameRate pictures a second, 0 where unknown
 * @param videoBitrateBps mean over the last seconds, bits a second
 * @param audioBitrateBps likewise
 * @param bytes payload taken in since the session's start
 * @param discontinuities timelines after the first
 * @param warnings what the encoder should change, oldest first
 */
public record IngestReport(
        List<Track> tracks,
        int width,
        int height,
        double frameRate,
        long videoBitrateBps,
        long audioBitrateBps,
        long bytes,
        int discontinuities,
        List<Warning> warnings) {
    public IngestReport {
        tracks = List.copyOf(tracks);
        warnings = List.copyOf(warnings);
    }

    /**
     * @param code stable name, e.g. {@code key_frame_interval}
     * @param message what was seen and which encoder setting to change
     * @param at when it was first seen
     */
    public record Warning(String code, String message, Instant at) {}
}
