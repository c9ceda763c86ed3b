package touchline.media.hub;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import touchline.media.Track;

/**
 * What a session's publisher sends, as measured. Immutable, any thread.
 *
 * @param tracks of the newest timeline; empty before the first
 * @param width frame width in samples, 0 where unknown
 * @param height frame height in rows, 0 where unknown
 * @param frameRate frames a second, 0 where unknown
 * @param videoBitrateBps mean over the last seconds of media, bits a second
 * @param audioBitrateBps likewise
 * @param bytes payload taken in since the session's start
 * @param discontinuities timelines after the first
 * @param warnings what the encoder should change, oldest first, at most one of each code; behind
 *     them faults of the signal, one for each occurrence
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
    /** More than 4 s from one key frame to the next. */
    public static final String KEY_FRAME_INTERVAL = "key_frame_interval";

    /**
     * Frames are not sent in display order. A fact rather than a fault: it adds delay in low
     * latency mode only. The caller decides by the mode whether to show it.
     */
    public static final String B_FRAMES = "b_frames";

    /** Frames do not arrive at a steady rate. */
    public static final String VARIABLE_FRAME_RATE = "variable_frame_rate";

    /** Timestamps went back or jumped, and were rebased. */
    public static final String TIMESTAMP_JUMPS = "timestamp_jumps";

    /** Many frames in a row have the same timestamp. */
    public static final String TIMESTAMPS_STAND_STILL = "timestamps_stand_still";

    /** Media time passes faster or slower than the clock. */
    public static final String CLOCK_DRIFT = "clock_drift";

    /** Frames have stopped while audio goes on. */
    public static final String NO_VIDEO = "no_video";

    /** Audio and video move apart. */
    public static final String AV_DRIFT = "av_drift";

    /** The bitrate of the frames changes by more than a factor of three. */
    public static final String BITRATE_SWINGS = "bitrate_swings";

    /** Browsers do not decode this profile, or not everywhere. */
    public static final String UNSUPPORTED_PROFILE = "unsupported_profile";

    /** Frames are larger than the server decodes. */
    public static final String FRAME_SIZE = "frame_size";

    /** The memory for decoders does not suffice. */
    public static final String DECODER_MEMORY = "decoder_memory";

    /** Codes of warnings that the server refuses to decode the video. */
    public static final Set<String> REFUSALS = Set.of(FRAME_SIZE, DECODER_MEMORY);

    /** Browsers do not play this audio codec, or not all of them. */
    public static final String AUDIO_CODEC = "audio_codec";

    /** Players notice the switch between primary and backup: their media differs. */
    public static final String BACKUP_DIFFERS = "backup_differs";

    /** The clocks of primary and backup run apart. */
    public static final String BACKUP_DRIFT = "backup_drift";

    /** Key frames of a further video track and of the first one do not fall together. */
    public static final String MULTITRACK_KEY_FRAMES = "multitrack_key_frames";

    /** A further track is not taken: too many, or of a codec that is not supported. */
    public static final String MULTITRACK_REFUSED = "multitrack_refused";

    public IngestReport {
        tracks = List.copyOf(tracks);
        warnings = List.copyOf(warnings);
    }

    /** Whether a warning of this code was given. */
    public boolean hasWarning(String code) {
        return warnings.stream().anyMatch(warning -> warning.code().equals(code));
    }

    /**
     * @param code stable name, one of the constants here
     * @param message the last observation and the encoder setting to change
     * @param at when it was first seen
     * @param endedAt when it was over; only of a fault that has an end
     */
    public record Warning(String code, String message, Instant at, Optional<Instant> endedAt) {
        public Warning(String code, String message, Instant at) {
            this(code, message, at, Optional.empty());
        }

        /** This occurrence with its end. */
        public Warning ended(Instant when) {
            return new Warning(code, message, at, Optional.of(when));
        }
    }
}
