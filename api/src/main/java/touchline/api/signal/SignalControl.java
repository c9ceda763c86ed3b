package touchline.api.signal;

import java.util.Optional;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.signal.SignalHistory;

/** The control API's access to watched signals. Any thread. */
public interface SignalControl {
    /** The stored setting of a stream may have changed; applied to its session. Blocks. */
    void changed(StreamId stream);

    /** The samples of a running session that is watched. */
    Optional<SignalHistory> history(SessionId session);

    /**
     * Follows the samples of a stream, in this session and later ones. The caller closes it. Empty
     * if there are too many.
     */
    Optional<SignalFeed.Watcher> watch(StreamId stream);

    /** The same for all streams that are watched. */
    Optional<SignalFeed.Watcher> watchAll();
}
