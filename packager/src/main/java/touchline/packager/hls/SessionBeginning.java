package touchline.packager.hls;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a session that goes on here: what earlier servers have recorded of it. It may
 * become known when this server publishes already: the playlist from the start waits for it. Its
 * segments are read from files, which may have to be brought back first. Any thread.
 */
public final class SessionBeginning {
    private static final int PATIENCE_SECONDS = 15;

    private final LiveWindow.Settings settings;
    private final WindowPlaylists playlists;
    private final MediaMemory memory;
    private final Supplier<Optional<LiveRenditions>> renditions;

    /** Null where it is known from the start. Set before viewers find the session. */
    private volatile @Nullable CompletableFuture<Boolean> known;

    private volatile @Nullable EarlierSegments earlier;

    /**
     * @param renditions those that there are now
     */
    SessionBeginning(
            LiveWindow.Settings settings,
            WindowPlaylists playlists,
            MediaMemory memory,
            Supplier<Optional<LiveRenditions>> renditions) {
        this.renditions = renditions;
        this.settings = settings;
        this.playlists = playlists;
        this.memory = memory;
    }

    /** It is elsewhere; {@link #provide} or {@link #provideNone} follows. */
    public void expect() {
        known = new CompletableFuture<>();
    }

    /**
     * What comes before the first segment here. Blocks: reads init segments.
     *
     * <p>Renditions begin anew, and count discontinuities as if nothing came before: so the live
     * playlist does too if there are any.
     *
     * @param isAlone there will be no renditions
     * @throws IOException if one cannot be read: call {@link #provideNone} then
     */
    public void provide(EarlierSegments stored, boolean isAlone) throws IOException {
        Map<Integer, MediaBlock> inits = stored.read(memory);
        // First: what is listed can be requested at once.
        earlier = stored;
        boolean live = isAlone && renditions.get().filter(LiveRenditions::isFollowed).isEmpty();
        if (!playlists.precededBy(stored, inits, live)) {
            earlier = null;
        }
        provideNone();
    }

    /**
     * The recording was begun by another server, and goes on with the first frame here.
     *
     * @param positionUs time of that frame in the recording
     */
    public void endsAt(long positionUs) {
        playlists.startAt(positionUs);
    }

    /** Nothing more comes before the first segment here. */
    public void provideNone() {
        CompletableFuture<Boolean> awaited = known;
        if (awaited != null) {
            awaited.complete(true);
        }
    }

    /** Now, if it is known, or as soon as it is. */
    <T> CompletionStage<T> whenKnown(Supplier<CompletionStage<T>> work) {
        CompletableFuture<Boolean> awaited = known;
        return awaited == null || awaited.isDone()
                ? work.get()
                : awaited.thenCompose(_ -> work.get());
    }

    /**
     * A segment of an earlier server.
     *
     * @param here supplies one of this server
     */
    CompletionStage<Optional<MediaBody>> segment(
            long mediaSequence, Supplier<Optional<MediaBody>> here) {
        EarlierSegments stored = earlier;
        MediaBody.FileRange place =
                stored == null ? null : stored.place(mediaSequence).orElse(null);
        if (stored == null || place == null) {
            return CompletableFuture.completedFuture(here.get());
        }
        CompletableFuture<Optional<MediaBody>> body = new CompletableFuture<>();
        Thread.ofVirtual()
                .name("earlier-" + settings.session())
                .start(() -> bring(stored, place, body));
        CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .execute(
                        () ->
                                body.completeExceptionally(
                                        new MediaUnreachableException("not from S3 in time")));
        return body;
    }

    private static void bring(
            EarlierSegments stored,
            MediaBody.FileRange place,
            CompletableFuture<Optional<MediaBody>> body) {
        try {
            stored.source().ensure(place.file());
            body.complete(Optional.of(place));
        } catch (NoSuchFileException _) {
            body.complete(Optional.empty());
        } catch (IOException | RuntimeException e) {
            body.completeExceptionally(new MediaUnreachableException(e.toString()));
        }
    }

    /** The window is closed. */
    void close() {
        earlier = null;
        provideNone();
    }
}
