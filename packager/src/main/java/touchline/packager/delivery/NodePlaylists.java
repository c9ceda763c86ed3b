package touchline.packager.delivery;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.RenderedPlaylist;

/** The playlists that another node gets in one answer. Stateless. */
final class NodePlaylists {
    private NodePlaylists() {}

    /**
     * The window and its delta update; without low latency the window alone, which is served in its
     * place. References are the caller's.
     *
     * @param dvr the one from the session's start instead
     */
    static CompletionStage<Optional<List<RenderedPlaylist>>> of(LivePlayback session, boolean dvr) {
        return dvr
                ? session.mediaPlaylist(PlaylistKind.FULL).thenApply(full -> full.map(List::of))
                : session.mediaPlaylist(PlaylistKind.WINDOW)
                        .thenCompose(
                                window ->
                                        window.isEmpty()
                                                ? CompletableFuture.completedFuture(
                                                        Optional.empty())
                                                : withDelta(session, window.get()));
    }

    private static CompletionStage<Optional<List<RenderedPlaylist>>> withDelta(
            LivePlayback session, RenderedPlaylist window) {
        return session.mediaPlaylist(PlaylistKind.WINDOW_DELTA)
                .handle(
                        (delta, failure) -> {
                            if (failure != null || delta.isEmpty()) {
                                return Optional.of(List.of(window));
                            }
                            if (delta.get().equals(window)) {
                                delta.get().release();
                                return Optional.of(List.of(window));
                            }
                            return Optional.of(List.of(window, delta.get()));
                        });
    }

    static void release(List<RenderedPlaylist> playlists) {
        playlists.forEach(RenderedPlaylist::release);
    }
}
