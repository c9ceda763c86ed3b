package touchline.api.restream;

import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import touchline.api.db.Database;
import touchline.api.db.NewEvent;
import touchline.api.db.RestreamRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.StreamWrites;
import touchline.api.domain.EventType;
import touchline.api.domain.Restream;
import touchline.api.domain.RestreamStatus;
import touchline.api.egress.Egress;
import touchline.api.view.RestreamView;
import touchline.ingest.rtmp.RtmpPushClient;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;
import touchline.media.hub.PublishBarrier;

/**
 * The restreams of all running sessions, and their stored settings. Blocks for the database; any
 * thread.
 */
public final class Restreams implements AutoCloseable {
    private static final int TRIES = 60;

    private final Database database;
    private final StreamRepository streams;
    private final RestreamRepository repository;
    private final RtmpPushClient client = new RtmpPushClient(RtmpPushClient.Limits.USUAL);
    private final RestreamCounters counters = new RestreamCounters();
    private final RestreamRunner.Dependencies dependencies;
    private final StreamWrites writes = new StreamWrites();
    private final Map<StreamId, SessionRestreams> running = new ConcurrentHashMap<>();

    /** All but the repository are borrowed. */
    public Restreams(
            Database database,
            StreamRepository streams,
            RestreamRepository repository,
            Egress egress,
            InstantSource clock) {
        this.database = database;
        this.streams = streams;
        this.repository = repository;
        this.dependencies =
                new RestreamRunner.Dependencies(
                        client, egress::addresses, counters, this::report, clock, System::nanoTime);
    }

    /**
     * Starts the restreams of a session. Does not block.
     *
     * @param live its program has begun
     * @param gate of its media; settings are applied already
     * @return closed at the session's end, behind the packager
     */
    public SessionRestreams open(LiveStream live, PublishBarrier gate) {
        SessionRestreams opened = new SessionRestreams(live, gate, this);
        running.put(live.stream(), opened);
        // In the background, and again where the database fails: a session does not wait for it.
        writes.add(
                live.stream(),
                new StreamWrites.Step("start of restreams", TRIES, opened::follow, () -> {}));
        return opened;
    }

    void closed(SessionRestreams session) {
        running.remove(session.stream(), session);
    }

    /** The stored restreams of a stream have changed. */
    public void changed(StreamId stream) {
        SessionRestreams session = running.get(stream);
        if (session != null) {
            session.follow();
        }
    }

    /** What a restream does now. */
    public RestreamStatus status(Restream restream) {
        SessionRestreams session = running.get(restream.stream());
        return session == null
                ? RestreamStatus.IDLE
                : session.status(restream.id()).orElse(RestreamStatus.IDLE);
    }

    /** How many restreams of running sessions are in each state. */
    public Map<RestreamStatus.State, Integer> states() {
        Map<RestreamStatus.State, Integer> states = new EnumMap<>(RestreamStatus.State.class);
        for (SessionRestreams session : List.copyOf(running.values())) {
            session.statuses().forEach(each -> states.merge(each.state(), 1, Integer::sum));
        }
        return states;
    }

    public RestreamRepository repository() {
        return repository;
    }

    public RestreamCounters counters() {
        return counters;
    }

    RestreamRunner.Dependencies dependencies() {
        return dependencies;
    }

    /** Stores an event in the background: a slow database must not stop a restream. */
    private void report(EventType type, Restream restream, RestreamStatus status) {
        NewEvent event = NewEvent.of(type, restream.stream(), RestreamView.of(restream, status));
        writes.add(
                restream.stream(),
                new StreamWrites.Step(
                        type.wireName(),
                        TRIES,
                        () -> database.transact(() -> store(restream.stream(), event)),
                        () -> {}));
    }

    private void store(StreamId stream, NewEvent event) {
        if (streams.exists(stream)) {
            var _ = database.outbox().append(event);
        }
    }

    /** Closes all connections. Called when all sessions have ended. */
    @Override
    public void close() {
        client.close();
        writes.close();
    }
}
