package touchline.api.watch;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.SessionId;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.edge.UpstreamAnswer;

/**
 * What is on the air of a stream that another node has: its {@code watch.json}. While that node
 * cannot be reached, a session that has not ended is interrupted.
 *
 * @param unended the stream's session
 */
record RemoteState(RemoteMedia media, Optional<SessionId> unended) {
    private static final Logger log = LoggerFactory.getLogger(RemoteState.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final int OK = 200;

    /** A page does not wait for a stream's next owner. */
    private static final long PATIENCE_MS = 2_000;

    /** Returns at once. */
    CompletableFuture<Watched.Now> read() {
        return media.answer("watch.json", /* gzip= */ false)
                .thenApply(found -> found.flatMap(RemoteState::shown))
                .exceptionally(RemoteState::unreachable)
                .toCompletableFuture()
                .copy()
                .completeOnTimeout(Optional.empty(), PATIENCE_MS, TimeUnit.MILLISECONDS)
                .thenApply(shown -> shown.orElseGet(this::interrupted));
    }

    /** Takes over the reference. */
    private static Optional<Watched.Now> shown(UpstreamAnswer answer) {
        try {
            return answer.status() == OK
                    ? Optional.of(WatchState.of(JSON.readTree(text(answer.body().bytes()))))
                    : Optional.empty();
        } catch (IOException e) {
            log.debug("watch.json of another node", e);
            return Optional.empty();
        } finally {
            answer.release();
        }
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    private static Optional<Watched.Now> unreachable(Throwable cause) {
        log.debug("watch.json of another node", cause);
        return Optional.empty();
    }

    private Watched.Now interrupted() {
        return unended.<Watched.Now>map(
                        session ->
                                new Watched.Live(
                                        session.value(),
                                        /* connected= */ false,
                                        OptionalLong.empty(),
                                        OptionalLong.empty(),
                                        /* dvr= */ false))
                .orElseGet(Watched.Idle::new);
    }
}
