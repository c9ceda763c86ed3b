package touchline.moderation;

import touchline.media.hub.FrameTap;
import touchline.media.hub.PublishBarrier;

/**
 * Moderation of one session, from its start to its end: idle, without a thread and without a
 * reader, until a policy is applied. Any thread.
 */
public interface ModerationTask extends AutoCloseable {
    /**
     * Starts to sample, or changes what runs from its next sampled frame on. Where the policy has a
     * gate, parts that are asked about from now on wait for it.
     */
    void apply(ModerationPolicy policy);

    /**
     * Ends sampling and opens the gate; no report begins after this has returned. A later policy
     * starts anew.
     */
    void stop();

    /** A policy is applied. */
    boolean isRunning();

    /**
     * What the session's packager asks; lets everything pass while nothing runs or the policy has
     * no gate. The same object for the whole session.
     */
    PublishBarrier barrier();

    /**
     * Where a compositor shows its frames; wants none while nothing runs. The same object for the
     * whole session.
     */
    FrameTap tap();

    /**
     * Says where frames come from, from now on.
     *
     * @param runs true: a compositor calls {@link #tap}; false, as at the start: the task reads the
     *     programme's feed and decodes what it needs
     */
    void composited(boolean runs);

    /** Of this session. */
    ModerationCounters counters();

    /** The session is over: stops for good; whoever waits at the barrier is let go. */
    @Override
    void close();
}
