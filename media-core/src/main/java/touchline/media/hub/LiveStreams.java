package touchline.media.hub;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * Registry of everything that runs. A stream is active exactly while {@link #active} finds it. Any
 * thread; nothing here blocks.
 */
public final class LiveStreams {
    /**
     * Told of the life of sessions, in order, under the session's lock, on the publisher's event
     * loop or a timer thread: must not block. {@link #sessionStarted} comes before the first item
     * flows, so whoever subscribes there misses nothing.
     */
    public interface Listener {
        default void sessionStarted(LiveStream live) {}

        /** After sessionStarted, and again whenever an encoder comes back. */
        default void publisherConnected(LiveStream live) {}

        default void publisherDisconnected(LiveStream live) {}

        default void sessionEnded(LiveStream live, EndReason reason) {}
    }

    record Surroundings(InstantSource clock, ScheduledExecutorService timer, Listener listener) {}

    private record Key(StreamId stream, Role role) {}

    private final Surroundings surroundings;
    private final ConcurrentHashMap<Key, LiveStream> streams = new ConcurrentHashMap<>();

    /**
     * @param timer ends reconnect windows; borrowed
     */
    public LiveStreams(InstantSource clock, ScheduledExecutorService timer, Listener listener) {
        this.surroundings = new Surroundings(clock, timer, listener);
    }

    /**
     * Lets a publisher in. The session itself starts with its first media.
     *
     * @throws StreamBusyException while another publisher is sending (silent for less than 5 s)
     */
    public Publication publish(PublishRequest request) {
        Key key = new Key(request.stream(), request.role());
        while (true) {
            LiveStream live = streams.computeIfAbsent(key, _ -> create(key, request));
            Optional<Publication> publication = live.attach(request);
            if (publication.isPresent()) {
                return publication.get();
            }
            streams.remove(key, live);
        }
    }

    /** The session of a stream that has started and not ended. */
    public Optional<LiveStream> active(StreamId stream, Role role) {
        return Optional.ofNullable(streams.get(new Key(stream, role)))
                .filter(live -> live.startedAt().isPresent());
    }

    /** All sessions that have started and not ended. */
    public List<LiveStream> active() {
        return streams.values().stream().filter(live -> live.startedAt().isPresent()).toList();
    }

    /** Ends every session of a stream, cuts its publishers. Idempotent. */
    public void end(StreamId stream, EndReason reason) {
        for (Role role : Role.values()) {
            LiveStream live = streams.get(new Key(stream, role));
            if (live != null) {
                live.end(reason);
            }
        }
    }

    /** Cuts the publisher and lets its session wait for the next one. Idempotent. */
    public void cutPublisher(StreamId stream, Role role, EndReason reason) {
        LiveStream live = streams.get(new Key(stream, role));
        if (live != null) {
            live.cutPublisher(reason);
        }
    }

    /** Ends everything: the server stops. */
    public void endAll() {
        streams.values().forEach(live -> live.end(EndReason.SHUTDOWN));
    }

    private LiveStream create(Key key, PublishRequest request) {
        return new LiveStream(
                request,
                new SessionId("ses_" + UUID.randomUUID().toString().replace("-", "")),
                surroundings,
                live -> streams.remove(key, live));
    }
}
