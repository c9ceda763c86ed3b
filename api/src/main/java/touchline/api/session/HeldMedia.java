package touchline.api.session;

import java.util.ArrayDeque;
import touchline.media.Timeline;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.PartSink;

/** Media that a recorder gets later. Owns one reference to each block. Not thread-safe. */
final class HeldMedia {
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private long sizeBytes;

    private sealed interface Entry {
        record Init(int number, Timeline timeline, MediaBlock bytes) implements Entry {}

        record Part(PartSink.FinishedPart part) implements Entry {}

        record Sealed(PartSink.SealedSegment segment) implements Entry {}
    }

    void initSegment(int number, Timeline timeline, MediaBlock bytes) {
        entries.add(new Entry.Init(number, timeline, bytes.retain()));
        sizeBytes += bytes.sizeBytes();
    }

    void part(PartSink.FinishedPart part) {
        MediaBlock bytes = part.bytes().retain();
        entries.add(new Entry.Part(part));
        sizeBytes += bytes.sizeBytes();
    }

    void sealed(PartSink.SealedSegment segment) {
        entries.add(new Entry.Sealed(segment));
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /** Passes everything on in its order, and is empty then. */
    void passTo(PartSink recorder) {
        for (Entry entry = entries.poll(); entry != null; entry = entries.poll()) {
            switch (entry) {
                case Entry.Init(var number, var timeline, var bytes) -> {
                    recorder.initSegment(number, timeline, bytes);
                    bytes.release();
                }
                case Entry.Part(var part) -> {
                    recorder.part(part);
                    part.bytes().release();
                }
                case Entry.Sealed(var segment) -> recorder.sealed(segment);
            }
        }
        sizeBytes = 0;
    }
}
