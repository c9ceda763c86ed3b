package touchline.api.session;

import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Role;

/** What this server does with its streams, for the other nodes of a cluster. Any thread. */
public final class SessionUse implements StreamUse {
    private final SessionSupervisor sessions;
    private final LiveStreams live;
    private final SessionJournal journal;

    public SessionUse(SessionSupervisor sessions, SessionJournal journal) {
        this.sessions = sessions;
        this.live = sessions.live();
        this.journal = journal;
    }

    /** Streams that run. */
    public int count() {
        return (int) live.active().stream().map(LiveStream::stream).distinct().count();
    }

    @Override
    public boolean isOpen(StreamId stream) {
        return live.isOpen(stream);
    }

    @Override
    public boolean isEnding(StreamId stream) {
        return journal.isWriting(stream) && live.active(stream, Role.MAIN).isEmpty();
    }

    @Override
    public boolean isSending(StreamId stream) {
        return live.isSending(stream);
    }

    @Override
    public void end(StreamId stream) {
        live.end(stream, EndReason.PUBLISHER_GONE);
    }

    @Override
    public void release(StreamId stream) {
        sessions.release(stream);
    }

    @Override
    public void drop(StreamId stream) {
        live.end(stream, EndReason.FAILED);
    }
}
