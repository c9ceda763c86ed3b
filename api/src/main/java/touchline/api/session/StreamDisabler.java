package touchline.api.session;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;

/**
 * Disables streams on behalf of moderation. The encoder is cut and refused at once, in memory; the
 * journal stores the change and tries again while the database fails. A stream stays refused until
 * the change is stored, or until a client enables it. Does not block for the database; any thread.
 */
public final class StreamDisabler {
    private final SessionJournal journal;
    private final LiveControl live;

    /** Held while a change is stored: {@link #enabled} comes before or after it. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Streams with a change that is not stored yet. */
    private final Set<StreamId> refused = ConcurrentHashMap.newKeySet();

    StreamDisabler(SessionJournal journal, LiveControl live) {
        this.journal = journal;
        this.live = live;
    }

    /** Cuts the encoder and the viewers, refuses the encoder, and stores the change later. */
    public void disable(StreamId stream) {
        refused.add(stream);
        // Before the end of the session: the journal stores in the order of the calls.
        journal.disabled(
                stream,
                live.active(stream).map(LiveStream::session),
                change -> store(stream, change));
        live.end(stream, EndReason.DISABLED);
    }

    /** Whether the stream is disabled and the database may not have stored it yet. */
    public boolean isRefused(StreamId stream) {
        return refused.contains(stream);
    }

    /**
     * A client is about to enable the stream: a change that is not stored yet is dropped. Waits for
     * one that is being stored, so that the client's change comes after it.
     */
    void enabled(StreamId stream) {
        lock.lock();
        try {
            refused.remove(stream);
        } finally {
            lock.unlock();
        }
    }

    private void store(StreamId stream, Runnable change) {
        lock.lock();
        try {
            if (refused.contains(stream)) {
                change.run();
                refused.remove(stream);
            }
        } finally {
            lock.unlock();
        }
    }
}
