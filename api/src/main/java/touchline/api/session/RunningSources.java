package touchline.api.session;

import java.util.Optional;
import touchline.api.domain.BackupPush;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.Failover;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.PublishSource;
import touchline.media.hub.Role;
import touchline.media.hub.SourceStatus;

/** The encoders of the sessions in the hub. Any thread. */
public final class RunningSources implements SourceControl {
    private final LiveStreams live;

    public RunningSources(LiveStreams live) {
        this.live = live;
    }

    @Override
    public Optional<SourceStatus> status(SessionId session) {
        return live.active().stream()
                .filter(each -> each.session().equals(session))
                .findFirst()
                .map(RunningSources::status);
    }

    @Override
    public Choice choose(StreamId stream, Optional<PublishSource> source) {
        Optional<LiveStream> session = live.active(stream, Role.MAIN);
        if (session.isEmpty()) {
            return Choice.NOT_ACTIVE;
        }
        boolean chosen =
                session.get()
                        .failover()
                        .map(both -> both.choose(source))
                        // Only the primary has ever sent.
                        .orElse(!source.equals(Optional.of(PublishSource.BACKUP)));
        return chosen ? Choice.DONE : Choice.NOT_SENDING;
    }

    private static SourceStatus status(LiveStream session) {
        return session.failover().map(Failover::status).orElse(SourceStatus.PRIMARY_ONLY);
    }

    @Override
    public void changed(StreamId stream, BackupPush backup) {
        live.failover(stream, backup.failover());
        if (!backup.isOn()) {
            live.cutBackup(stream, EndReason.KEY_RESET);
        }
    }

    @Override
    public void backupKeyReset(StreamId stream) {
        live.cutBackup(stream, EndReason.KEY_RESET);
    }
}
