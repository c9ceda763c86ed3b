package touchline.packager.record;

import touchline.media.Timeline;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.PartSink.FinishedPart;
import touchline.packager.hls.PartSink.SealedSegment;

/** A job of a {@link Recorder}'s writer. Immutable. */
sealed interface RecorderJob {
    record Init(int number, Timeline timeline, MediaBlock bytes) implements RecorderJob {}

    record Part(FinishedPart part) implements RecorderJob {}

    record Sealed(SealedSegment segment) implements RecorderJob {}

    /** Reads what an earlier process has stored. */
    record Reopen() implements RecorderJob {}

    record End() implements RecorderJob {}

    /** Of the media that it holds. */
    default long sizeBytes() {
        return switch (this) {
            case Init(_, _, var bytes) -> bytes.sizeBytes();
            case Part(var part) -> part.bytes().sizeBytes();
            case Sealed _, Reopen _, End _ -> 0;
        };
    }

    /** Releases the media. */
    default void release() {
        switch (this) {
            case Init(_, _, var bytes) -> bytes.release();
            case Part(var part) -> part.bytes().release();
            case Sealed _, Reopen _, End _ -> {}
        }
    }
}
