package touchline.packager.record;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.MediaBody.FileRange;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.FragmentRun;
import touchline.packager.isobmff.InitReader;
import touchline.packager.isobmff.InitReader.TrackHead;

/**
 * The clock of an asset. Its zero is the presentation time of the first frame (without video, of
 * the first audio). A segment starts at the sum of EXTINF before it, so players, the MP4, clips and
 * thumbnails name a frame by the same time. Its end is the end of the last sample.
 *
 * <p>Stored media has media time. Both clocks run equally fast between discontinuities; at a
 * discontinuity media time may jump, asset time does not. Recordings of this version have no jumps,
 * older ones do.
 *
 * <p>Immutable, any thread.
 */
public final class AssetClock {
    private final List<Range> ranges;
    private final Origins origins;

    private AssetClock(List<Range> ranges, Origins origins) {
        this.ranges = List.copyOf(ranges);
        this.origins = origins;
    }

    /**
     * A segment's times as the index has them.
     *
     * @param init number of its init segment
     */
    record Span(int init, long durationUs) {}

    /**
     * Segments without a discontinuity between them.
     *
     * @param init number of their init segment
     * @param from index of the first segment
     * @param to behind the last one
     * @param startUs asset time of the first frame
     * @param endUs asset time at which the last segment ends
     */
    public record Range(int init, int from, int to, long startUs, long endUs) {}

    /** Reads where a range starts. */
    @FunctionalInterface
    interface Origins {
        /**
         * Media time of the first frame (without video, of the first audio) of a segment.
         *
         * @param segment its index
         */
        long firstUs(int segment) throws IOException;
    }

    /**
     * The clock of a recording, which may still be growing.
     *
     * @throws MalformedMediaException when it has no segments
     */
    public static AssetClock of(Recording recording, Path folder) {
        List<Recording.Segment> segments = recording.segments();
        return of(
                segments.stream().map(each -> new Span(each.init(), each.durationUs())).toList(),
                index -> {
                    Recording.Segment segment = segments.get(index);
                    Recording.Place place = segment.place();
                    return firstUs(
                            folder.resolve(Recording.Init.fileName(segment.init())),
                            new FileRange(
                                    folder.resolve(segment.fileName()),
                                    place.offsetBytes(),
                                    place.sizeBytes()));
                });
    }

    static AssetClock of(List<Span> segments, Origins origins) {
        if (segments.isEmpty()) {
            throw new MalformedMediaException("recording without segments");
        }
        List<Range> ranges = new ArrayList<>();
        long startUs = 0;
        int from = 0;
        while (from < segments.size()) {
            int init = segments.get(from).init();
            long endUs = startUs;
            int to = from;
            while (to < segments.size() && segments.get(to).init() == init) {
                endUs += segments.get(to++).durationUs();
            }
            ranges.add(new Range(init, from, to, startUs, endUs));
            startUs = endUs;
            from = to;
        }
        return new AssetClock(ranges, origins);
    }

    /** In order, at least one. */
    public List<Range> ranges() {
        return ranges;
    }

    /** End of the last sample. */
    public long durationUs() {
        return ranges.getLast().endUs();
    }

    /** The range that shows an asset time; times before and behind all belong to the outer ones. */
    public Range at(long assetUs) {
        Range found = ranges.getFirst();
        for (Range range : ranges) {
            if (range.startUs() <= assetUs) {
                found = range;
            }
        }
        return found;
    }

    /** Media time minus asset time in a range. Reads the head of its first segment. */
    public long shiftUs(Range range) throws IOException {
        return origins.firstUs(range.from()) - range.startUs();
    }

    /** Media time of what is shown at an asset time. Reads the head of one segment. */
    public long mediaUs(long assetUs) throws IOException {
        return assetUs + shiftUs(at(assetUs));
    }

    /** Media time of a stored segment's first frame; frames count before audio. */
    static long firstUs(Path init, FileRange segment) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel file = FileChannel.open(segment.file(), StandardOpenOption.READ)) {
            long there = Math.max(0, file.size() - segment.offsetBytes());
            MemorySegment bytes =
                    file.map(
                            FileChannel.MapMode.READ_ONLY,
                            segment.offsetBytes(),
                            Math.min(segment.sizeBytes(), there),
                            arena);
            Box moof =
                    BoxReader.first(BoxReader.walkWhole(bytes), "moof")
                            .orElseThrow(() -> new MalformedMediaException("segment without moof"));
            return firstPtsUs(FragmentRun.of(moof), InitReader.read(init));
        }
    }

    private static long firstPtsUs(List<FragmentRun> runs, InitReader init) {
        Optional<FragmentRun> leading = Optional.empty();
        for (FragmentRun run : runs) {
            boolean video = init.track(run.trackId()).map(TrackHead::video).orElse(false);
            if (video || leading.isEmpty()) {
                leading = Optional.of(run);
            }
        }
        FragmentRun run =
                leading.orElseThrow(() -> new MalformedMediaException("moof without samples"));
        TrackHead track =
                init.track(run.trackId())
                        .orElseThrow(() -> new MalformedMediaException("track without its head"));
        long first = Long.MAX_VALUE;
        long decode = run.decodeTicks();
        for (int i = 0; i < run.samples(); i++) {
            first = Math.min(first, decode + run.compositionOffsetTicks(i));
            decode += run.durationTicks(i);
        }
        return track.timescale().toUs(first);
    }
}
