package touchline.api.scoreboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import touchline.media.SessionId;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.RenderedPlaylist;

/** Only its name, whether it was closed, and its recorded calls. */
public final class ShownSession implements LivePlayback {
    private final SessionId session;
    public boolean closed;
    public Optional<String> listed = Optional.empty();
    public final List<PlaylistKind> asked = new ArrayList<>();

    public ShownSession(String session) {
        this.session = new SessionId(session);
    }

    @Override
    public SessionId session() {
        return session;
    }

    @Override
    public Optional<String> multivariant(String prefix) {
        return listed;
    }

    @Override
    public CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind) {
        asked.add(kind);
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt part) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return Optional.empty();
    }

    @Override
    public Optional<MediaBody> segment(long mediaSequence) {
        return Optional.empty();
    }

    @Override
    public Optional<MediaBody> part(long mediaSequence, int part) {
        return Optional.empty();
    }

    @Override
    public Optional<FrameSource> frames() {
        return Optional.empty();
    }

    @Override
    public void close() {
        closed = true;
    }
}
