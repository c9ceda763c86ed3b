package touchline.packager.hls;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.packager.isobmff.Fragment;

/**
 * What the packager of a source has published, for its renditions. Times are the session's unless
 * they say otherwise. Immutable; borrows no blocks.
 */
sealed interface SourceEvent {
    /**
     * A new init segment for the parts that follow.
     *
     * @param number of the init segment
     * @param timeline of the source; tracks and start
     * @param createdAt written into the init segment
     * @param firstPtsUs presentation time of the first frame (or audio) that it decodes
     * @param shift from the feed's times to the session's
     */
    record Init(int number, Timeline timeline, Instant createdAt, long firstPtsUs, Shift shift)
            implements SourceEvent {}

    /**
     * Session time minus media time of the feed, since a discontinuity.
     *
     * @param us in microseconds
     * @param ticks the same, exactly
     * @param timescale of {@code ticks}
     * @param firstUs media time of the first frame shown
     */
    record Shift(long us, long ticks, Timescale timescale, long firstUs) {
        /** The shift in ticks of another track. */
        long ticks(Timescale of) {
            return of.equals(timescale) ? ticks : of.fromUs(timescale.toUs(ticks));
        }

        /** Media time of a session time. */
        long mediaUs(long sessionUs) {
            return sessionUs - us;
        }
    }

    /**
     * A part that viewers may see.
     *
     * @param mediaSequence number of its segment
     * @param index 0 for the segment's first part
     * @param startUs decode time of its first access unit, in media microseconds
     * @param durationUs exact, of the leading track
     * @param programDateTime wall clock at its segment's start
     * @param segmentIsDue the next part probably starts the next segment
     * @param video its frames
     * @param lead their samples; empty where only audio starts in it
     * @param audio the same samples are in all renditions
     */
    record Part(
            long mediaSequence,
            int index,
            long startUs,
            long durationUs,
            Instant programDateTime,
            boolean segmentIsDue,
            Video video,
            Optional<Fragment.Run> lead,
            List<Fragment.Run> audio)
            implements SourceEvent {
        public Part {
            audio = List.copyOf(audio);
        }
    }

    /**
     * The frames of a part, in decode order; none where only audio starts in it. Times are the
     * feed's, in ticks of the video.
     *
     * @param shiftTicks added to all of them in the part's samples
     * @param endTicks decode time at which the last sample ends
     * @param independent starts with a key frame
     */
    record Video(List<Frame> frames, long shiftTicks, long endTicks, boolean independent) {
        static final Video NONE = new Video(List.of(), 0, 0, /* independent= */ false);

        public Video {
            frames = List.copyOf(frames);
        }

        static Video of(Fragment.Run run, RepeatedFrames repeats) {
            List<Frame> frames = new ArrayList<>(run.samples().size());
            for (Fragment.Sample sample : run.samples()) {
                AccessUnit unit = sample.unit();
                frames.add(
                        new Frame(
                                unit.dtsTicks(),
                                unit.ptsTicks(),
                                sample.decodeTicks(),
                                repeats.remove(unit)));
            }
            Fragment.Sample last = run.samples().getLast();
            return new Video(
                    frames,
                    run.shiftTicks(),
                    last.decodeTicks() + last.durationTicks(),
                    run.samples().getFirst().unit().idr());
        }

        /** Starts with a key frame that its publisher sent. */
        boolean startsAnew() {
            return independent && !frames.getFirst().repeated();
        }
    }

    /**
     * One frame of the source.
     *
     * @param dtsTicks of its unit
     * @param ptsTicks of its unit
     * @param decodeTicks of its sample: close to {@code dtsTicks}
     * @param repeated a key frame shown again where frames are missing
     */
    record Frame(long dtsTicks, long ptsTicks, long decodeTicks, boolean repeated) {}

    /**
     * The segment is complete.
     *
     * @param targetDurationS EXT-X-TARGETDURATION
     * @param partTargetUs PART-TARGET
     */
    record Sealed(int targetDurationS, long partTargetUs) implements SourceEvent {}

    /** The next part follows a discontinuity. */
    record Discontinuity() implements SourceEvent {}

    /** The session has ended. */
    record End() implements SourceEvent {}
}
