package touchline.api.session;

import touchline.media.StreamId;

/** Port: what this server does with a stream. Does not block; any thread. */
public interface StreamUse {
    /** Whether a publisher of it, overlay or programme, is connected, or its session waits. */
    boolean isOpen(StreamId stream);

    /** Whether a publisher is connected and has sent within the last seconds. */
    boolean isSending(StreamId stream);

    /** Whether its session runs no more, and the database lacks that. */
    boolean isEnding(StreamId stream);

    /** Ends its session, whose encoder is away, and cuts its overlay. */
    void end(StreamId stream);

    /** Cuts its publishers, and leaves its session open to any other node. */
    void release(StreamId stream);

    /** Cuts its publishers: another node has it. Nothing can be stored any more. */
    void drop(StreamId stream);
}
