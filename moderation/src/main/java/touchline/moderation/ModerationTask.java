package touchline.moderation;

import touchline.media.hub.FrameTap;
import touchline.media.hub.PublishBarrier;

/**
 * Moderation of one session, from its start to its end. Idle, without a thread or a subscription,
 * until a policy is applied. Any thread.
 */
public interface ModerationTask extends AutoCloseable {
    /**
     * Starts sampling, or changes the policy from the next frame on. With a gate, parts that the
     * packager asks for from now on wait for a verdict.
     */
    void apply(ModerationPolicy policy);

    /**
     * Ends sampling and opens the gate. No report begins after the return. A later policy starts
     * again.
     */
    void stop();

    /** Whether a policy is applied. */
    boolean isRunning();

    /**
     * The gate that the session's packager waits at. Open while nothing runs or the policy has no
     * gate. The same object for the whole session.
     */
    PublishBarrier barrier();

    /**
     * Receives a compositor's frames; takes none while nothing runs. Never throws. The same object
     * for the whole session.
     */
    FrameTap tap();

    /**
     * Selects the source of frames.
     *
     * @param runs true: a compositor calls {@link #tap}; false, the initial state: the task reads
     *     the programme's feed and decodes the frames it takes
     */
    void composited(boolean runs);

    /** Counters of this session. */
    ModerationCounters counters();

    /** Ends moderation of the session. Media without a verdict is discarded at once. */
    @Override
    void close();
}
