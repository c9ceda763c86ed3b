package touchline.media.hub;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.Track;

/**
 * Where the programme ends that viewers have: with its last frame (without video, its last audio
 * unit). Audio behind that is not shown, if another timeline follows. Guarded by its session.
 */
final class ProgramEnd {
    private static final int UNITS = 256;
    private static final long DEFAULT_FRAME_US = 33_333;
    private static final long MAX_FRAME_US = 1_000_000;

    private final long[] audioStartUs = new long[UNITS];
    private final long[] audioEndUs = new long[UNITS];
    private long audioUnits;
    private @Nullable Track audio;
    private @Nullable PublishSource source;
    private long offsetUs;

    /** No unit of the newest timeline has come. */
    private boolean fresh;

    private boolean timelineHasVideo;
    private boolean hasVideo;
    private long ptsUs;
    private long dtsUs;
    private long frameUs = DEFAULT_FRAME_US;

    /** The track of its audio; empty without audio. */
    Optional<Track> audio() {
        return Optional.ofNullable(audio);
    }

    /** Nothing can continue what there was. */
    void clear() {
        audio = null;
        audioUnits = 0;
        hasVideo = false;
        source = null;
        frameUs = DEFAULT_FRAME_US;
    }

    /** Another timeline begins; until its first frame the programme ends where it ended. */
    void begin(Timeline next) {
        fresh = true;
        timelineHasVideo = next.video().isPresent();
    }

    /**
     * A unit of the programme, in media time.
     *
     * @param by the source of its publication
     * @param lessTimestampUs media time less the publisher's time
     */
    void add(AccessUnit unit, PublishSource by, long lessTimestampUs) {
        if (unit.track().isVideo()) {
            addFrame(unit);
            // The timeline may have begun before there was a second publisher.
            timelineHasVideo = true;
            fresh = false;
        } else {
            addAudio(unit);
            hasVideo &= timelineHasVideo;
        }
        if (unit.track().isVideo() || !timelineHasVideo) {
            source = by;
            offsetUs = lessTimestampUs;
        }
    }

    private void addFrame(AccessUnit frame) {
        boolean follows = hasVideo && !fresh;
        long sinceUs = frame.dtsUs() - dtsUs;
        if (follows && sinceUs > 1_000 && sinceUs < MAX_FRAME_US) {
            frameUs = sinceUs;
        }
        ptsUs = follows ? Math.max(ptsUs, frame.ptsUs()) : frame.ptsUs();
        dtsUs = frame.dtsUs();
        hasVideo = true;
    }

    private void addAudio(AccessUnit unit) {
        audio = unit.track();
        int place = (int) (audioUnits++ % UNITS);
        audioStartUs[place] = unit.dtsUs();
        audioEndUs[place] =
                unit.track().timescale().toUs(unit.dtsTicks() + FrameDuration.ticks(unit));
    }

    /** The source that wrote the end; empty without an end. */
    Optional<PublishSource> source() {
        return Optional.ofNullable(source);
    }

    /** Media time at the end less the publisher's time. */
    long offsetUs() {
        return offsetUs;
    }

    boolean isEmpty() {
        return source == null;
    }

    boolean hasVideo() {
        return hasVideo;
    }

    /** Duration of the last frame. */
    long frameUs() {
        return frameUs;
    }

    /** End of the last frame; without video, of the last audio unit. */
    long endUs() {
        return hasVideo ? ptsUs + frameUs : audioEndUs().orElse(0);
    }

    /** End of the last audio unit that starts before the end; empty if there is none. */
    OptionalLong audioEndUs() {
        long limitUs = hasVideo ? ptsUs + frameUs : Long.MAX_VALUE;
        long kept = Math.min(audioUnits, UNITS);
        for (long number = audioUnits - 1; number >= audioUnits - kept; number--) {
            int place = (int) (number % UNITS);
            if (audioStartUs[place] < limitUs) {
                return OptionalLong.of(audioEndUs[place]);
            }
        }
        return OptionalLong.empty();
    }
}
