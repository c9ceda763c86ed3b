package touchline.api.session;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.MediaSequences;
import touchline.media.StreamId;

/**
 * Allocates a stream's media sequence numbers. They never go back, even after a crash: blocks of
 * numbers are reserved before they are used. Owned by the session's thread, then by the packager's,
 * then by the session's again.
 */
final class MediaSequenceAllocator implements ReservedNumbers {
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
    private long newest = -1;

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

    @Override
    public long first() {
        return first;
    }

    @Override
    public int firstInit() {
        return 0;
    }

    @Override
    public void settle(long next) {
        // Numbers behind a gap belong to a later session and must not be used again.
        if (contiguous && next >= block.start() && next <= block.end()) {
            sequences.settle(stream, block, next);
        }
    }

    @Override
    public boolean awaitInit(int number) {
        return true;
    }

    @Override
    public boolean awaitPart(long mediaSequence) {
        if (mediaSequence > newest && block.end() - mediaSequence < LOW) {
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
        newest = mediaSequence;
        return true;
    }

    private void extend(MediaSequences.Block next) {
        contiguous &= next.start() == block.end();
        block = new MediaSequences.Block(block.start(), next.end());
    }
}
