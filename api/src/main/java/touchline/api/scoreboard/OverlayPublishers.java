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
 * What becomes of scoreboard pushes, told to the session beside which they run, in order. Told by
 * event loops, which must not wait; any thread.
 */
public final class OverlayPublishers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OverlayPublishers.class);

    private final Supplier<LiveStreams> live;
    private final StreamRepository streams;
    private final Function<StreamId, Optional<SessionProgram>> programs;
    private final Set<SessionId> gone = ConcurrentHashMap.newKeySet();
    private final ExecutorService telling =
            Executors.newSingleThreadExecutor(
                    Thread.ofVirtual().name("scoreboard-pushes").factory());

    /**
     * @param programs the main session of a stream, where one runs
     */
    public OverlayPublishers(
            Supplier<LiveStreams> live,
            StreamRepository streams,
            Function<StreamId, Optional<SessionProgram>> programs) {
        this.live = live;
        this.streams = streams;
        this.programs = programs;
    }

    /** The push that sends, or may come back. */
    public Optional<LiveStream> of(StreamId stream) {
        return live.get().active(stream, Role.OVERLAY);
    }

    /** Whether its encoder has gone, and may come back. */
    boolean isGone(LiveStream push) {
        return gone.contains(push.session());
    }

    public void started(LiveStream push) {
        tell(push, program -> program.pushStarted(push));
    }

    public void connected(LiveStream push) {
        if (gone.remove(push.session())) {
            tell(push, program -> program.pushPresent(true));
        }
    }

    public void disconnected(LiveStream push) {
        gone.add(push.session());
        tell(push, program -> program.pushPresent(false));
    }

    public void ended(LiveStream push) {
        // One that was cut while it sent has not been called gone before.
        if (!gone.remove(push.session())) {
            tell(push, program -> program.pushPresent(false));
        }
    }

    /** The scoreboard is another one: a push for which there is no use any more is cut. */
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

    private interface News {
        void to(SessionProgram program);
    }

    private void tell(LiveStream push, News news) {
        try {
            telling.execute(() -> programs.apply(push.stream()).ifPresent(news::to));
        } catch (RejectedExecutionException e) {
            // The server stops: nobody is left to be told.
            log.debug("push {}", push.session(), e);
        }
    }

    @Override
    public void close() {
        telling.shutdown();
    }
}
