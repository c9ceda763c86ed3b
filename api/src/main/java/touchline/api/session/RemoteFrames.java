package touchline.api.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.audit.FrameHome;
import touchline.api.db.EvidenceRepository;
import touchline.api.domain.FrameName;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.hls.MediaBody;

/**
 * Evidence frames of all nodes: what is not on this disk comes from S3, or else from the node with
 * the frame's file. Called on event loops; another thread reads the database. Any thread.
 */
public final class RemoteFrames {
    private static final Logger log = LoggerFactory.getLogger(RemoteFrames.class);

    /** S3 may take longer; the frame goes on coming. */
    private static final long PATIENCE_S = 15;

    private static final CompletableFuture<FrameDecision> NOWHERE =
            CompletableFuture.completedFuture(FrameDecision.Refused.NOT_FOUND);

    private static final FrameDecision NOT_LOOKED_UP = away("the frame cannot be looked up now", 1);
    private static final FrameDecision NOT_BROUGHT = away("the frame does not come from S3 now", 5);

    private final Function<FrameRequest, CompletionStage<FrameDecision>> here;
    private final Function<FrameName, Optional<EvidenceRepository.Location>> rows;
    private final Optional<FrameHome> home;
    private final Function<String, Optional<RemoteMedia>> media;
    private final Executor executor;

    /**
     * @param here checks a link, and finds what is on this disk
     * @param rows where a frame is, by the database; blocks
     * @param home S3, if frames are there
     * @param media the frames of a node; empty for this one, and where others are not asked
     */
    public RemoteFrames(
            Function<FrameRequest, CompletionStage<FrameDecision>> here,
            Function<FrameName, Optional<EvidenceRepository.Location>> rows,
            Optional<FrameHome> home,
            Function<String, Optional<RemoteMedia>> media) {
        this(here, rows, home, media, work -> Thread.ofVirtual().name("evidence-node").start(work));
    }

    /**
     * @param executor runs the work that waits for the database
     */
    RemoteFrames(
            Function<FrameRequest, CompletionStage<FrameDecision>> here,
            Function<FrameName, Optional<EvidenceRepository.Location>> rows,
            Optional<FrameHome> home,
            Function<String, Optional<RemoteMedia>> media,
            Executor executor) {
        this.here = here;
        this.rows = rows;
        this.home = home;
        this.media = media;
        this.executor = executor;
    }

    /** Completes at once if the link is not valid. */
    public CompletionStage<FrameDecision> find(FrameRequest request) {
        return here.apply(request)
                .thenCompose(
                        found ->
                                found.equals(FrameDecision.Refused.NOT_FOUND)
                                        ? elsewhere(new FrameName(request.name()))
                                        : CompletableFuture.completedFuture(found));
    }

    /** Its link is good. */
    private CompletionStage<FrameDecision> elsewhere(FrameName frame) {
        return CompletableFuture.supplyAsync(() -> rows.apply(frame), executor)
                .thenCompose(row -> row.map(known -> at(frame, known)).orElse(NOWHERE))
                .exceptionally(
                        failure -> {
                            log.debug("an evidence frame cannot be looked up", failure);
                            return NOT_LOOKED_UP;
                        });
    }

    private CompletableFuture<FrameDecision> at(
            FrameName frame, EvidenceRepository.Location location) {
        Optional<FrameDecision> node =
                location.node().flatMap(media).map(FrameDecision.Remote::new);
        if (home.isEmpty() || !location.stored()) {
            return CompletableFuture.completedFuture(node.orElse(FrameDecision.Refused.NOT_FOUND));
        }
        return home.get()
                .bring(frame, location.content())
                .toCompletableFuture()
                .thenApply(RemoteFrames::image)
                .orTimeout(PATIENCE_S, TimeUnit.SECONDS)
                .exceptionally(failure -> node.orElseGet(() -> missing(failure)));
    }

    private static FrameDecision image(Path file) {
        try {
            return new FrameDecision.Image(new MediaBody.FileRange(file, 0, Files.size(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FrameDecision missing(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException wrapped && wrapped.getCause() != null
                        ? wrapped.getCause()
                        : failure;
        return cause instanceof NoSuchFileException ? FrameDecision.Refused.NOT_FOUND : NOT_BROUGHT;
    }

    private static FrameDecision away(String message, int retryAfterS) {
        return new FrameDecision.Refused(
                new PlaybackDecision.Refused(503, 50301, message, OptionalInt.of(retryAfterS)));
    }
}
