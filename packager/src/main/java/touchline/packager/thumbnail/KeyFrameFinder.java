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
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.FrameSource.Span;
import touchline.packager.hls.MediaBody;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.FragmentRun;
import touchline.packager.isobmff.InitReader;
import touchline.packager.isobmff.InitReader.TrackHead;

/**
 * Finds key frames in the headers of packaged media; reads only the bytes of the frame it finds.
 * Stateless; blocks on files.
 */
final class KeyFrameFinder {
    /** Maximum of consecutive segments without a key frame. */
    private static final int MAX_STEPS = 64;

    /** Maximum delay from decoding to presentation; a time this far behind the end is accepted. */
    private static final long REORDER_US = 500_000;

    /** Milliseconds are asked for, ticks are stored. */
    private static final long TOLERANCE_US = 500;

    private static final int MAX_KEY_FRAME_BYTES = 32 << 20;

    private KeyFrameFinder() {}

    /** Carries a reason for the viewer. */
    static final class NoFrameException extends Exception {
        private static final long serialVersionUID = 1;

        private final String reason;

        NoFrameException(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    /** The newest one there is. */
    static KeyFrame newest(FrameSource source) throws IOException, NoFrameException {
        Span span = source.newest().orElseThrow(() -> new NoFrameException("nothing is there"));
        return search(source, span, Long.MAX_VALUE);
    }

    /**
     * The last one that is shown at a time or before it.
     *
     * @param timeUs since the first frame
     */
    static KeyFrame at(FrameSource source, long timeUs) throws IOException, NoFrameException {
        long mediaUs = source.mediaUs(timeUs + TOLERANCE_US);
        Span newest = source.newest().orElseThrow(() -> new NoFrameException("nothing is there"));
        if (mediaUs > newest.endUs() + REORDER_US) {
            throw new NoFrameException("time: behind the end of what is there");
        }
        Span span =
                source.spanAt(mediaUs)
                        .orElseThrow(() -> new NoFrameException("time: before what is still kept"));
        return search(source, span, mediaUs);
    }

    private static KeyFrame search(FrameSource source, Span from, long mediaUs)
            throws IOException, NoFrameException {
        Span span = from;
        for (int steps = 0; steps < MAX_STEPS; steps++) {
            Optional<TrackHead> track = frameTrack(source, span);
            if (track.isPresent()) {
                Optional<KeyFrame> found = last(source, span, track.get(), mediaUs);
                if (found.isPresent()) {
                    return found.get();
                }
            } else if (steps == 0 && mediaUs == Long.MAX_VALUE) {
                throw new NoFrameException("there is audio only, without video");
            }
            Optional<Span> before = source.spanAt(span.startUs() - 1);
            if (before.isEmpty()) {
                throw new NoFrameException(
                        track.isPresent()
                                ? "no key frame at or before that time is kept"
                                : "there is audio only, without video");
            }
            span = before.get();
        }
        throw new NoFrameException("no key frame near that time");
    }

    private static Optional<TrackHead> frameTrack(FrameSource source, Span span)
            throws IOException, NoFrameException {
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

    private static NoFrameException goneMeanwhile() {
        return new NoFrameException("not there any more");
    }

    /** The last key frame of a segment that is shown at a time or before it. */
    private static Optional<KeyFrame> last(
            FrameSource source, Span span, TrackHead track, long mediaUs)
            throws IOException, NoFrameException {
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

        Optional<KeyFrame> found(FrameSource source, Span span) {
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
