package touchline.packager.clip;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import touchline.media.Timescale;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.Recording;

/**
 * Cuts a range of time out of a recording, which may still be growing, into a recording of its own.
 * Exact to the frame at both ends: whole segments are taken by reference (a second name of the same
 * file, so that the source may be deleted), the segments at the edges are written anew with the
 * bytes of their frames, and only frames whose key frame is cut off, or which lean on one behind
 * the end, are encoded again. One thread, which blocks.
 */
public final class ClipCutter {
    /** Times are asked for in milliseconds and stored in ticks. */
    static final long TOLERANCE_US = 500;

    private final GopReencoder encoder;

    /**
     * What to cut. Time 0 is when the first frame is shown, or the first audio heard where there
     * are none.
     *
     * @param startUs shown from here on, 0 or more
     * @param endUs nothing is shown from here on
     */
    public record Range(long startUs, long endUs) {
        public Range {
            if (startUs < 0 || endUs <= startUs) {
                throw new IllegalArgumentException(
                        "range: " + startUs + ".." + endUs + " (expected: 0 <= start < end)");
            }
        }
    }

    /**
     * What was cut.
     *
     * @param exact both ends are exact to the frame; otherwise the clip starts with the key frame
     *     before the start
     */
    public record Cut(Recording recording, boolean exact) {}

    /**
     * @param encoder for the frames at the edges
     */
    public ClipCutter(GopReencoder encoder) {
        this.encoder = encoder;
    }

    /**
     * Makes a clip.
     *
     * @param source what of the recording exists by now
     * @param sourceFolder its files
     * @param folder of the clip; made, and left behind half done where this throws
     * @throws EmptyRangeException when nothing is shown in the range
     * @throws MalformedMediaException when the recording is not what its index says
     */
    public Cut cut(Recording source, Path sourceFolder, Range range, Path folder)
            throws IOException, InterruptedException {
        if (source.segments().isEmpty()) {
            throw new MalformedMediaException("recording without segments");
        }
        long zeroUs = zeroUs(source, sourceFolder);
        long startUs = zeroUs + range.startUs() - TOLERANCE_US;
        long endUs = zeroUs + range.endUs() - TOLERANCE_US;
        boolean exact = true;
        boolean any = false;
        try (ClipWriter writer = new ClipWriter(folder)) {
            for (ClipRange stretch : stretches(source)) {
                if (stretch.isBefore(source, startUs) || stretch.isBehind(source, endUs)) {
                    continue;
                }
                RangeCutter cutter =
                        new RangeCutter(source, sourceFolder, stretch, writer, encoder);
                exact &= cutter.cut(startUs, endUs);
                any = true;
            }
            if (!any) {
                throw new EmptyRangeException();
            }
            return new Cut(writer.finish(), exact);
        }
    }

    /**
     * Segments in a row that are decoded with the same init segment.
     *
     * @param from index of the first
     * @param to behind the last
     */
    record ClipRange(int from, int to) {
        private boolean isBefore(Recording recording, long timeUs) {
            Recording.Segment last = recording.segments().get(to - 1);
            return last.startUs() + last.durationUs() <= timeUs;
        }

        private boolean isBehind(Recording recording, long timeUs) {
            return recording.segments().get(from).startUs() >= timeUs;
        }
    }

    private static List<ClipRange> stretches(Recording recording) {
        List<ClipRange> stretches = new ArrayList<>();
        List<Recording.Segment> segments = recording.segments();
        int from = 0;
        for (int i = 1; i <= segments.size(); i++) {
            if (i == segments.size() || segments.get(i).init() != segments.get(from).init()) {
                stretches.add(new ClipRange(from, i));
                from = i;
            }
        }
        return stretches;
    }

    /** Presentation time of a recording's first frame, or audio, in media microseconds. */
    public static long zeroUs(Recording recording, Path folder) throws IOException {
        Recording.Segment first = recording.segments().getFirst();
        InitReader init = readInit(folder, first.init());
        StoredSamples samples = StoredSamples.read(recording, folder, init, 0, 1);
        boolean video = !samples.video().isEmpty();
        long pts = Long.MAX_VALUE;
        for (StoredSample sample : video ? samples.video() : samples.audio()) {
            pts = Math.min(pts, sample.ptsTicks());
        }
        return timescale(init, video).toUs(pts);
    }

    static Timescale timescale(InitReader init, boolean video) {
        for (InitReader.TrackHead track : init.tracks()) {
            if (track.video() == video) {
                return track.timescale();
            }
        }
        throw new MalformedMediaException("init segment without the track of its samples");
    }

    static InitReader readInit(Path folder, int number) throws IOException {
        return InitReader.read(folder.resolve(Recording.Init.fileName(number)));
    }
}
