package touchline.packager.hls;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import touchline.media.SessionId;

/**
 * A recorded session as its growing asset: every playlist is the one from the session's start. Any
 * thread.
 *
 * @param live borrowed; {@link #close} leaves it open
 */
public record DvrPlayback(LivePlayback live) implements LivePlayback {
    @Override
    public SessionId session() {
        return live.session();
    }

    @Override
    public Optional<String> multivariant(String prefix) {
        return live.sourceMultivariant(prefix);
    }

    @Override
    public CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind) {
        return live.mediaPlaylist(PlaylistKind.FULL);
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt part) {
        return live.whenAvailable(mediaSequence, part);
    }

    @Override
    public CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
        return live.whenPart(mediaSequence, part);
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return live.initSegment(number);
    }

    @Override
    public Optional<MediaBody> segment(long mediaSequence) {
        return live.segment(mediaSequence);
    }

    @Override
    public CompletionStage<Optional<MediaBody>> whenSegment(long mediaSequence) {
        return live.whenSegment(mediaSequence);
    }

    @Override
    public Optional<MediaBody> part(long mediaSequence, int part) {
        return live.part(mediaSequence, part);
    }

    @Override
    public Optional<FrameSource> frames() {
        return live.frames();
    }

    @Override
    public void close() {}
}
