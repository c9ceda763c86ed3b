package touchline.packager.clip;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.Timescale;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.AssetClock;
import touchline.packager.record.Recording;

/**
 * Cuts a time range of a recording, which may still be growing, into a new recording, exact to the
 * frame at both ends. Whole segments are hard-linked, so the source may be deleted. Segments at the
 * edges are rewritten with the bytes of their frames. Only frames that depend on a frame outside
 * the range are encoded again. One thread, which blocks.
 */
public final class ClipCutter {
    private static final Logger log = LoggerFactory.getLogger(ClipCutter.class);

    /** Requests are in milliseconds, stored times in ticks. */
    static final long TOLERANCE_US = 500;

    private final GopReencoder encoder;

    /**
     * The range to cut, in asset time ({@link AssetClock}).
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
        AssetClock clock = AssetClock.of(source, sourceFolder);
        List<AssetClock.Range> ranges =
                clock.ranges().stream()
                        .filter(each -> each.endUs() > range.startUs())
                        .filter(each -> each.startUs() < range.endUs())
                        .toList();
        boolean exact = true;
        boolean any = false;
        try (ClipWriter writer = new ClipWriter(folder)) {
            for (AssetClock.Range segments : ranges) {
                RangeCutter cutter =
                        new RangeCutter(source, sourceFolder, segments, writer, encoder);
                // If no frame starts in all of the range, one frame is shown.
                boolean orShown = !any && segments.equals(ranges.getLast());
                try {
                    exact &= cutter.cut(times(range, segments, clock.shiftUs(segments), orShown));
                    any = true;
                } catch (EmptyRangeException _) {
                    log.debug("nothing is shown in {} of {}", range, segments);
                }
            }
            if (!any) {
                throw new EmptyRangeException();
            }
            return new Cut(writer.finish(), exact);
        }
    }

    /** What of the requested range lies in a range of segments, in media time. */
    private static RangeCutter.Times times(
            Range range, AssetClock.Range segments, long shiftUs, boolean orShown) {
        long startUs = Math.max(range.startUs(), segments.startUs()) + shiftUs;
        long endUs = Math.min(range.endUs(), segments.endUs()) + shiftUs;
        return new RangeCutter.Times(startUs - TOLERANCE_US, endUs - TOLERANCE_US, orShown);
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
