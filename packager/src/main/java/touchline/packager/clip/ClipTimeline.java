package touchline.packager.clip;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.packager.record.Recording;

/**
 * Where the ranges of a clip stand. Those of one recording keep its times, and each stands behind a
 * discontinuity. Joined ranges follow each other without a gap: in one timeline as long as their
 * codec configuration is the same, otherwise behind a discontinuity. One thread.
 */
final class ClipTimeline {
    private final ClipWriter writer;
    private final boolean joins;

    /** Configuration of the open timeline, without the parameter sets of edges. */
    private List<Track> configuration = List.of();

    private Optional<ParameterSets> sets = Optional.empty();

    /** End of what is written, in media time of the clip; null before the first range. */
    private @Nullable Moment end;

    private Timescale timescale = Timescale.VIDEO;

    private record Moment(long ticks, Timescale timescale) {
        long ticks(Timescale other) {
            return rescale(ticks, timescale, other);
        }
    }

    /**
     * How the next range follows the last one.
     *
     * @param continues in the open timeline, without a discontinuity
     * @param fits whether the parameter sets of its edges fit into the timeline; otherwise they are
     *     encoded again, with {@code sets}
     * @param tracks its configuration; the leading one first
     * @param sets of the timeline; empty if edges cannot be encoded
     */
    record Joint(
            boolean continues, boolean fits, List<Track> tracks, Optional<ParameterSets> sets) {
        Joint {
            tracks = List.copyOf(tracks);
        }
    }

    /**
     * Where a range stands.
     *
     * @param tracks as the clip's init segment has them
     * @param shiftTicks from its source's times to the clip's, on the leading track
     * @param linkable whether whole segments can be taken as they are
     */
    record Place(List<Track> tracks, long shiftTicks, boolean linkable) {
        Place {
            tracks = List.copyOf(tracks);
        }

        /** The same shift on the last track. */
        long audioShiftTicks() {
            return rescale(shiftTicks, tracks.getFirst().timescale(), tracks.getLast().timescale());
        }

        /** A time of the source on the last track. */
        long audioTicks(long us) {
            return RangeCutter.ticksUp(tracks.getLast().timescale(), us);
        }
    }

    /**
     * @param joins whether ranges follow each other; otherwise they keep their source's times
     */
    ClipTimeline(ClipWriter writer, boolean joins) {
        this.writer = writer;
        this.joins = joins;
    }

    ClipWriter writer() {
        return writer;
    }

    /**
     * @param tracks of the next range
     * @param own parameter sets with those of its edges
     */
    Joint next(List<Track> tracks, Optional<ParameterSets> own) {
        if (joins && end != null && tracks.equals(configuration)) {
            boolean fits = own.isEmpty() || sets.isEmpty() || sets.get().merge(own.get());
            return new Joint(/* continues= */ true, fits, tracks, sets);
        }
        return new Joint(/* continues= */ false, /* fits= */ true, tracks, own);
    }

    /**
     * Begins the next range, when its edges are encoded.
     *
     * @param firstTicks presentation of its first frame, in its source
     * @param origin wall clock of its source
     * @param isWhole whether its segments have all of its tracks
     */
    Place begin(Joint joint, long firstTicks, Recording.Init origin, boolean isWhole)
            throws IOException {
        Moment before = end;
        configuration = joint.tracks();
        sets = joint.sets();
        timescale = configuration.getFirst().timescale();
        List<Track> tracks = merged();
        if (before == null || !joins) {
            writer.init(tracks, origin.startUs(), origin.startedAt());
            return new Place(tracks, /* shiftTicks= */ 0, isWhole);
        }
        long startTicks = before.ticks(timescale);
        Instant at = origin.wallClock(timescale.toUs(firstTicks));
        if (joint.continues()) {
            writer.tracks(tracks);
            writer.date(at);
        } else {
            writer.init(tracks, timescale.toUs(startTicks), at);
        }
        return new Place(tracks, startTicks - firstTicks, /* linkable= */ false);
    }

    /** The range is written up to here, on its leading track. */
    void end(long ticks) {
        end = new Moment(ticks, timescale);
    }

    /** The tracks; frames with the parameter sets of the edges beside their own. */
    private List<Track> merged() {
        List<Track> tracks = new ArrayList<>();
        for (Track track : configuration) {
            tracks.add(
                    track.isVideo()
                            ? sets.flatMap(ParameterSets::merged)
                                    .map(codec -> new Track(track.id(), track.timescale(), codec))
                                    .orElse(track)
                            : track);
        }
        return tracks;
    }

    /** To the nearest tick. */
    private static long rescale(long ticks, Timescale from, Timescale to) {
        if (from.equals(to)) {
            return ticks;
        }
        long seconds = Math.floorDiv(ticks, (long) from.ticksPerSecond());
        long rest = Math.floorMod(ticks, (long) from.ticksPerSecond());
        return seconds * to.ticksPerSecond()
                + Math.floorDiv(
                        rest * to.ticksPerSecond() + from.ticksPerSecond() / 2,
                        (long) from.ticksPerSecond());
    }
}
