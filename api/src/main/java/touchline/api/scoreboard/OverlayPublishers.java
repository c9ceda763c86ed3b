package touchline.api.scoreboard;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.StreamRepository;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WatermarkSettings;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Role;

/**
 * Forwards the states of scoreboard pushes to the stream's main session, in order. Event loops call
 * it and must not wait; any thread.
 */
public final class OverlayPublishers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OverlayPublishers.class);

    private final Supplier<LiveStreams> live;
    private final StreamRepository streams;
    private final Function<StreamId, Optional<SessionProgram>> programs;
    private final Set<SessionId> gone = ConcurrentHashMap.newKeySet();
    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(
                    Thread.ofVirtual().name("scoreboard-pushes").factory());

    /**
     * @param programs the program of a stream's main session, if one runs
     */
    public OverlayPublishers(
            Supplier<LiveStreams> live,
            StreamRepository streams,
            Function<StreamId, Optional<SessionProgram>> programs) {
        this.live = live;
        this.streams = streams;
        this.programs = programs;
    }

    /** The push that sends, or may reconnect. */
    public Optional<LiveStream> of(StreamId stream) {
        return live.get().active(stream, Role.OVERLAY);
    }

    /** Whether its encoder has disconnected and may reconnect. */
    boolean isGone(LiveStream push) {
        return gone.contains(push.session());
    }

    public void started(LiveStream push) {
        forward(push, program -> program.pushStarted(push));
    }

    public void connected(LiveStream push) {
        if (gone.remove(push.session())) {
            forward(push, program -> program.pushPresent(true));
        }
    }

    public void disconnected(LiveStream push) {
        gone.add(push.session());
        forward(push, program -> program.pushPresent(false));
    }

    public void ended(LiveStream push) {
        // A push that was cut while it sent was not reported as gone before.
        if (!gone.remove(push.session())) {
            forward(push, program -> program.pushPresent(false));
        }
    }

    /** Cuts the push if the changed scoreboard does not use it any more. */
    void settingsChanged(StreamId stream) {
        of(stream)
                .filter(_ -> !isWanted(stream))
                .ifPresent(push -> live.get().end(push, EndReason.COMPLETED));
    }

    private boolean isWanted(StreamId stream) {
        return streams.find(stream)
                .flatMap(StreamDefinition::watermark)
                .filter(WatermarkSettings.Stream.class::isInstance)
                .isPresent();
    }

    private interface Change {
        void apply(SessionProgram program);
    }

    private void forward(LiveStream push, Change change) {
        try {
            executor.execute(() -> programs.apply(push.stream()).ifPresent(change::apply));
        } catch (RejectedExecutionException e) {
            // The server stops: no session needs the change.
            log.debug("push {}", push.session(), e);
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
