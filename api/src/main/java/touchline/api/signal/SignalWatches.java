package touchline.api.signal;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import touchline.api.db.StreamRepository;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;
import touchline.media.signal.SignalHistory;
import touchline.media.signal.SignalWatch;

/** Watches the signals of running sessions whose streams ask for it. Any thread. */
public final class SignalWatches implements SignalControl, AutoCloseable {
    private final Dependencies dependencies;
    private final SignalFeed feed = new SignalFeed();
    private final ConcurrentHashMap<SessionId, FollowedSession> sessions =
            new ConcurrentHashMap<>();

    /** All borrowed. */
    public record Dependencies(SignalWatch watch, StreamRepository streams, FaultJournal journal) {}

    public SignalWatches(Dependencies dependencies) {
        this.dependencies = dependencies;
    }

    /** A session starts: nothing of its media is missed from now on. Does not block. */
    public void opened(LiveStream live) {
        sessions.put(live.session(), new FollowedSession(live, dependencies, feed));
    }

    /** Reads the setting of the session's stream. Blocks. */
    public void started(LiveStream live) {
        FollowedSession session = sessions.get(live.session());
        if (session != null) {
            session.follow();
        }
    }

    /** A session has ended: its faults end before its own end is stored. Does not block. */
    public void ended(SessionId session) {
        FollowedSession followed = sessions.remove(session);
        if (followed != null) {
            followed.close();
        }
    }

    @Override
    public void changed(StreamId stream) {
        for (FollowedSession session : sessions.values()) {
            if (session.stream().equals(stream)) {
                session.follow();
            }
        }
    }

    @Override
    public Optional<SignalHistory> history(SessionId session) {
        return Optional.ofNullable(sessions.get(session)).flatMap(FollowedSession::history);
    }

    @Override
    public Optional<SignalFeed.Watcher> watch(StreamId stream) {
        return feed.watch(stream);
    }

    @Override
    public Optional<SignalFeed.Watcher> watchAll() {
        return feed.watchAll();
    }

    /** Ends the streams of samples. */
    @Override
    public void close() {
        feed.close();
    }
}
