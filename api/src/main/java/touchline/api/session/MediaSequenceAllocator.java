package touchline.api.session;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.MediaSequences;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.PartSink;

/**
 * Allocates a stream's media sequence numbers. They never go back, even after a crash: blocks of
 * numbers are reserved before they are used. Owned by the session's thread.
 */
final class MediaSequenceAllocator implements PartSink {
    private static final Logger log = LoggerFactory.getLogger(MediaSequenceAllocator.class);

    /** More than an hour of segments. */
    private static final int BLOCK = 2000;

    /** The next block is reserved when this few are left: minutes before they are used. */
    private static final int LOW = 200;

    private final MediaSequences sequences;
    private final StreamId stream;
    private final long first;
    private MediaSequences.Block block;
    private boolean contiguous = true;

    private MediaSequenceAllocator(
            MediaSequences sequences, StreamId stream, MediaSequences.Block block) {
        this.sequences = sequences;
        this.stream = stream;
        this.block = block;
        this.first = block.start();
    }

    static MediaSequenceAllocator reserve(MediaSequences sequences, StreamId stream) {
        return new MediaSequenceAllocator(
                sequences,
                stream,
                sequences
                        .reserve(stream, BLOCK)
                        .orElseThrow(
                                () -> new IllegalStateException("stream " + stream + " is gone")));
    }

    /** The number of the session's first segment. */
    long first() {
        return first;
    }

    /** Returns the unused numbers at the end of the session. */
    void settle(long next) {
        // Numbers behind a gap belong to a later session and must not be used again.
        if (contiguous && next <= block.end()) {
            sequences.settle(stream, block, next);
        }
    }

    @Override
    public void initSegment(int number, Timeline timeline, MediaBlock bytes) {}

    @Override
    public void part(FinishedPart part) {}

    @Override
    public void sealed(SealedSegment segment) {
        if (block.end() - segment.mediaSequence() <= LOW) {
            try {
                sequences
                        .reserve(stream, BLOCK)
                        .ifPresentOrElse(
                                this::extend,
                                () -> log.info("stream={} was deleted while live", stream));
            } catch (RuntimeException e) {
                // Each remaining segment tries again.
                log.warn("stream={} media sequence not reserved: {}", stream, e.getMessage());
            }
        }
    }

    @Override
    public void end() {}

    private void extend(MediaSequences.Block next) {
        contiguous &= next.start() == block.end();
        block = new MediaSequences.Block(block.start(), next.end());
    }
}
