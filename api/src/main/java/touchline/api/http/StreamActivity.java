package touchline.api.http;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import touchline.api.db.ClusterStreams;
import touchline.api.db.Database;
import touchline.api.domain.ActiveSession;
import touchline.api.session.LiveControl;
import touchline.media.StreamId;

/** Which streams are active: at this server, and at the other nodes of a cluster. Any thread. */
final class StreamActivity {
    private final LiveControl live;
    private final Optional<ClusterStreams> cluster;

    /**
     * @param cluster empty where this server is the only one
     */
    StreamActivity(LiveControl live, Optional<ClusterStreams> cluster) {
        this.live = live;
        this.cluster = cluster;
    }

    static StreamActivity of(Database database, LiveControl live) {
        return new StreamActivity(live, database.node().map(_ -> new ClusterStreams(database)));
    }

    /** The running session of a stream. */
    Optional<ActiveSession> session(StreamId stream) {
        return Optional.ofNullable(sessions(List.of(stream)).get(stream));
    }

    /** The running sessions of those streams that are active. */
    Map<StreamId, ActiveSession> sessions(List<StreamId> streams) {
        Map<StreamId, ActiveSession> active = new HashMap<>();
        for (StreamId stream : streams) {
            live.active(stream).map(ActiveSession::of).ifPresent(it -> active.put(stream, it));
        }
        if (cluster.isPresent()) {
            List<StreamId> others =
                    streams.stream().filter(stream -> !active.containsKey(stream)).toList();
            active.putAll(cluster.get().active(others));
        }
        return active;
    }

    /** All active streams. */
    Set<StreamId> streams() {
        Set<StreamId> active = new HashSet<>(live.activeStreams());
        cluster.ifPresent(rows -> active.addAll(rows.active()));
        return active;
    }
}
