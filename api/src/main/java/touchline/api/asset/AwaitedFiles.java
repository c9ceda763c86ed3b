package touchline.api.asset;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackDecision.Refused;
import touchline.packager.hls.MediaAwayException;

/**
 * Lets a viewer wait for files that are brought back, for some seconds. Then the answer is 503 with
 * Retry-After, and the files go on coming. Stateless.
 */
final class AwaitedFiles {
    private static final Logger log = LoggerFactory.getLogger(AwaitedFiles.class);
    private static final int PATIENCE_SECONDS = 15;
    private static final int RETRY_AFTER_SECONDS = 5;

    private static final Refused COMING = away("the media is being brought back");
    private static final Refused AWAY = away("the media cannot be brought back now");

    private AwaitedFiles() {}

    /** Work that blocks. */
    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }

    /**
     * Decides when the files are there.
     *
     * @param bring on a virtual thread
     */
    static CompletionStage<PlaybackDecision> orRefused(
            Work bring, Supplier<CompletionStage<PlaybackDecision>> then) {
        CompletableFuture<Boolean> there = new CompletableFuture<>();
        Thread.ofVirtual()
                .name("asset-files")
                .start(
                        () -> {
                            try {
                                bring.run();
                                there.complete(true);
                            } catch (IOException | RuntimeException | Error e) {
                                there.completeExceptionally(e);
                            }
                        });
        return there.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .handle(
                        (_, failure) ->
                                failure == null
                                        ? then.get()
                                        : CompletableFuture.<PlaybackDecision>completedStage(
                                                refused(failure)))
                .thenCompose(decision -> decision);
    }

    private static PlaybackDecision refused(Throwable failure) {
        return switch (failure) {
            case TimeoutException _ -> COMING;
            case NoSuchFileException _ -> Refused.NOT_FOUND;
            case MediaAwayException away -> {
                log.debug("media is away: {}", away.getMessage());
                yield AWAY;
            }
            case Throwable other -> throw new CompletionException(other);
        };
    }

    private static Refused away(String message) {
        return new Refused(503, 50301, message, OptionalInt.of(RETRY_AFTER_SECONDS));
    }
}
