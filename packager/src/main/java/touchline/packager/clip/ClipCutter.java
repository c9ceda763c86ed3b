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
 * Cuts a time range of a recording, which may still be growing, into a new recording, exact to the
 * frame at both ends. Whole segments are hard-linked, so the source may be deleted. Segments at the
 * edges are rewritten with the bytes of their frames. Only frames that depend on a frame outside
 * the range are encoded again. One thread, which blocks.
 */
public final class ClipCutter {
    /** Requests are in milliseconds, stored times in ticks. */
    static final long TOLERANCE_US = 500;

    private final GopReencoder encoder;

    /**
     * The range to cut. Time 0 is the presentation time of the first frame; without video, of the
     * first audio.
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
            for (ClipRange segments : ranges(source)) {
                if (segments.isBefore(source, startUs) || segments.isBehind(source, endUs)) {
                    continue;
                }
                RangeCutter cutter =
                        new RangeCutter(source, sourceFolder, segments, writer, encoder);
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
     * Consecutive segments with the same init segment.
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

    private static List<ClipRange> ranges(Recording recording) {
        List<ClipRange> ranges = new ArrayList<>();
        List<Recording.Segment> segments = recording.segments();
        int from = 0;
        for (int i = 1; i <= segments.size(); i++) {
            if (i == segments.size() || segments.get(i).init() != segments.get(from).init()) {
                ranges.add(new ClipRange(from, i));
                from = i;
            }
        }
        return ranges;
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
