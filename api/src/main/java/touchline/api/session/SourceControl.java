package touchline.api.session;

import java.util.Optional;
import touchline.api.domain.BackupPush;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.PublishSource;
import touchline.media.hub.SourceStatus;

/** The control API's access to the encoders of running sessions. Any thread. */
public interface SourceControl {
    /** Both encoders of a running session; empty once it has ended. */
    Optional<SourceStatus> status(SessionId session);

    /** What became of {@link #choose}. */
    enum Choice {
        /** The switch happens at the next key frame that continues the programme. */
        DONE,
        /** No session runs. */
        NOT_ACTIVE,
        /** That encoder sends nothing now. */
        NOT_SENDING
    }

    /**
     * Shows an encoder from now on.
     *
     * @param source empty: by the rules again
     */
    Choice choose(StreamId stream, Optional<PublishSource> source);

    /** The stream's settings have changed: without a backup its encoder is cut. */
    void changed(StreamId stream, BackupPush backup);

    /** The key of the backup was replaced: cuts the encoder with the old one. */
    void backupKeyReset(StreamId stream);
}
