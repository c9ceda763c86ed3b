package touchline.packager.thumbnail;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.PictureSource;
import touchline.packager.hls.PictureSource.Span;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.FragmentRun;
import touchline.packager.isobmff.InitReader;
import touchline.packager.isobmff.InitReader.TrackHead;

/**
 * Looks for key frames in the headers of packaged media; of the media itself only the one that is
 * found is read. Stateless; blocks for as long as files do.
 */
final class KeyFrameFinder {
    /** Segments without a key frame, one after the other, before it is given up. */
    private static final int MAX_STEPS = 64;

    /** What a picture may be shown later than it is decoded; a time so far behind the end is in. */
    private static final long REORDER_US = 500_000;

    /** Milliseconds are asked for, ticks are stored. */
    private static final long TOLERANCE_US = 500;

    private static final int MAX_KEY_FRAME_BYTES = 32 << 20;

    private KeyFrameFinder() {}

    /** Thrown with a reason for people. */
    static final class NoPictureException extends Exception {
        private static final long serialVersionUID = 1;

        private final String reason;

        NoPictureException(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    /** The newest one there is. */
    static KeyFrame newest(PictureSource source) throws IOException, NoPictureException {
        Span span = source.newest().orElseThrow(() -> new NoPictureException("nothing is there"));
        return search(source, span, Long.MAX_VALUE);
    }

    /**
     * The last one that is shown at a time or before it.
     *
     * @param timeUs since the first picture
     */
    static KeyFrame at(PictureSource source, long timeUs) throws IOException, NoPictureException {
        long mediaUs = source.zeroUs() + timeUs + TOLERANCE_US;
        Span newest = source.newest().orElseThrow(() -> new NoPictureException("nothing is there"));
        if (mediaUs > newest.endUs() + REORDER_US) {
            throw new NoPictureException("time: behind the end of what is there");
        }
        Span span =
                source.spanAt(mediaUs)
                        .orElseThrow(
                                () -> new NoPictureException("time: before what is still kept"));
        return search(source, span, mediaUs);
    }

    private static KeyFrame search(PictureSource source, Span from, long mediaUs)
            throws IOException, NoPictureException {
        Span span = from;
        for (int steps = 0; steps < MAX_STEPS; steps++) {
            Optional<TrackHead> track = pictureTrack(source, span);
            if (track.isPresent()) {
                Optional<KeyFrame> found = last(source, span, track.get(), mediaUs);
                if (found.isPresent()) {
                    return found.get();
                }
            } else if (steps == 0 && mediaUs == Long.MAX_VALUE) {
                throw new NoPictureException("there is sound only, without pictures");
            }
            Optional<Span> before = source.spanAt(span.startUs() - 1);
            if (before.isEmpty()) {
                throw new NoPictureException(
                        track.isPresent()
                                ? "no key frame at or before that time is kept"
                                : "there is sound only, without pictures");
            }
            span = before.get();
        }
        throw new NoPictureException("no key frame near that time");
    }

    private static Optional<TrackHead> pictureTrack(PictureSource source, Span span)
            throws IOException, NoPictureException {
        MediaBody init =
                source.initSegment(span.initNumber()).orElseThrow(KeyFrameFinder::goneMeanwhile);
        try (MappedMedia media = MappedMedia.open(init)) {
            for (TrackHead track : InitReader.read(media.pieces().getFirst()).tracks()) {
                if (track.video()) {
                    return Optional.of(track);
                }
            }
            return Optional.empty();
        }
    }

    private static NoPictureException goneMeanwhile() {
        return new NoPictureException("not there any more");
    }

    /** The last key frame of a segment that is shown at a time or before it. */
    private static Optional<KeyFrame> last(
            PictureSource source, Span span, TrackHead track, long mediaUs)
            throws IOException, NoPictureException {
        MediaBody body =
                source.media(span.mediaSequence()).orElseThrow(KeyFrameFinder::goneMeanwhile);
        try (MappedMedia media = MappedMedia.open(body)) {
            Scan scan = new Scan(track, mediaUs);
            media.pieces().forEach(scan::piece);
            return scan.found(source, span);
        }
    }

    /** Goes through the runs of one segment. */
    private static final class Scan {
        private final TrackHead head;
        private final long mediaUs;
        private int keyFrames;
        private int index;
        private long decodeTicks;
        private int offsetTicks;
        private @Nullable MemorySegment payload;

        Scan(TrackHead head, long mediaUs) {
            this.head = head;
            this.mediaUs = mediaUs;
        }

        void piece(MemorySegment bytes) {
            List<Box> boxes = BoxReader.walk(bytes);
            for (Box box : boxes) {
                if (box.type().equals("moof")) {
                    for (FragmentRun run : FragmentRun.of(box)) {
                        if (run.trackId() == head.id()) {
                            run(bytes, box, run);
                        }
                    }
                }
            }
        }

        private void run(MemorySegment bytes, Box moof, FragmentRun run) {
            long position = moof.offset() + run.dataOffset();
            long decode = run.decodeTicks();
            for (int i = 0; i < run.samples(); i++) {
                if (run.isSync(i)) {
                    long pts = decode + run.compositionOffsetTicks(i);
                    if (mediaUs == Long.MAX_VALUE || head.timescale().toUs(pts) <= mediaUs) {
                        index = keyFrames;
                        decodeTicks = decode;
                        offsetTicks = run.compositionOffsetTicks(i);
                        payload = slice(bytes, position, run.sizeBytes(i));
                    }
                    keyFrames++;
                }
                position += run.sizeBytes(i);
                decode += run.durationTicks(i);
            }
        }

        private static MemorySegment slice(MemorySegment bytes, long position, int sizeBytes) {
            boolean isInside =
                    position >= 0 && sizeBytes >= 0 && position <= bytes.byteSize() - sizeBytes;
            if (!isInside || sizeBytes > MAX_KEY_FRAME_BYTES) {
                throw new MalformedMediaException(
                        "key frame at %d: %d bytes (of %d)"
                                .formatted(position, sizeBytes, bytes.byteSize()));
            }
            return bytes.asSlice(position, sizeBytes);
        }

        Optional<KeyFrame> found(PictureSource source, Span span) {
            MemorySegment lent = payload;
            if (lent == null) {
                return Optional.empty();
            }
            Track track = head.track();
            byte[] copy = lent.toArray(ValueLayout.JAVA_BYTE);
            AccessUnit unit =
                    new AccessUnit(
                            track,
                            decodeTicks,
                            offsetTicks,
                            /* idr= */ true,
                            MemorySegment.ofArray(copy));
            return Optional.of(new KeyFrame(source.session(), span.mediaSequence(), index, unit));
        }
    }
}
