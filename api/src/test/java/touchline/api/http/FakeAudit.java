package touchline.api.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import touchline.api.audit.ModerationControl;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Records moderation changes sent to live sessions, oldest first. */
final class FakeAudit implements ModerationControl {
    final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    public void auditChanged(StreamId stream) {
        calls.add("changed " + stream);
    }

    @Override
    public void stop(SessionId session) {
        calls.add("stop " + session);
    }
}
