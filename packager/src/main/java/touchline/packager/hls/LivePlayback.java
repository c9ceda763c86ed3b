package touchline.packager.hls;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import touchline.media.SessionId;

/**
 * One session as the playback plane serves it; a {@link LiveWindow} or a recording. All methods
 * return at once; any thread. Bodies and playlists carry references that the caller releases.
 *
 * <p>Addresses, relative to {@code /{playback_id}/} (and below a grant to {@code
 * /{playback_id}/~{grant}/}): the multivariant playlist names {@code {session}/media.m3u8}; that
 * names {@code init{n}.mp4}, {@code s{msn}.m4s} and {@code s{msn}.{part}.m4s} beside itself. A
 * rendition has the same below {@code {session}/{rendition}/}, with {@code init{n}.{run}.mp4}.
 */
public interface LivePlayback {
    /**
     * Number of the first part of a segment behind a discontinuity; of other segments it is 0.
     * Number 0 may have been hinted before the discontinuity. A player that waited for it would
     * decode it with the init segment before.
     */
    int FIRST_PART_BEHIND_DISCONTINUITY = 1;

    SessionId session();

    /**
     * Number of the segment with which the playlists start anew, of a session that goes on without
     * its earlier segments: until they are shown, requests wait for it. Otherwise empty.
     */
    default OptionalLong awaited() {
        return OptionalLong.empty();
    }

    /**
     * The multivariant playlist with child URIs below a prefix; empty until the first segment is
     * there, and after the session's end.
     *
     * @param prefix what child URIs start with, e.g. {@code {playback_id}/} or {@code
     *     {playback_id}/~{grant}/}
     */
    Optional<String> multivariant(String prefix);

    /**
     * The same without renditions: what is played from the session's start ({@code dvr=1}) is the
     * source.
     */
    default Optional<String> sourceMultivariant(String prefix) {
        return multivariant(prefix);
    }

    /**
     * A rendition that runs now; its playlists and media are addressed like the source's, below
     * {@code {session}/{name}/}.
     *
     * @param name as in its addresses, e.g. {@code 480p}
     */
    default Optional<LivePlayback> rendition(String name) {
        return Optional.empty();
    }

    /**
     * The media playlist as it is now; empty until the first segment is there, when closed, and
     * {@link PlaylistKind#FULL} where the session is not recorded. The window's playlists are
     * complete at once. The full one is rendered by its own thread if it has changed, and completed
     * there: hop before doing work, and release the references in any case.
     */
    CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind);

    /** Which of the renderings of the media playlist. */
    enum PlaylistKind {
        /** The live window. */
        WINDOW,
        /** The live window as a delta update ({@code _HLS_skip=YES}). */
        WINDOW_DELTA,
        /** Everything since the session's start (recorded sessions only). */
        FULL
    }

    /**
     * Completes when the media playlist holds the part (or, without one, the whole segment), with
     * true; with false when the session has ended or was closed without it. {@code BadRequest} in
     * the form of an IllegalArgumentException where the number is too far ahead. The stage may be
     * completed on the packager's thread: hop before doing work.
     */
    CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt part);

    /**
     * Like {@link #whenAvailable}, but for this very part, which may have been hinted: completes
     * with false as soon as it is known that there will never be such a part.
     *
     * @param part number in addresses
     */
    CompletionStage<Boolean> whenPart(long mediaSequence, int part);

    Optional<MediaBody> initSegment(int number);

    /**
     * An init segment of a rendition.
     *
     * @param run number of the first segment since the rendition started: one that is dropped and
     *     comes back may have other init segments
     */
    default Optional<MediaBody> initSegment(int number, long run) {
        return Optional.empty();
    }

    Optional<MediaBody> segment(long mediaSequence);

    /**
     * @param part number in addresses
     */
    Optional<MediaBody> part(long mediaSequence, int part);

    /**
     * Like {@link #segment}, for media that another server has: completes when it is here, and
     * fails with {@link MediaUnreachableException} where it cannot be fetched. The stage may be
     * completed on any thread.
     */
    default CompletionStage<Optional<MediaBody>> whenSegment(long mediaSequence) {
        return CompletableFuture.completedFuture(segment(mediaSequence));
    }

    /** The same for {@link #initSegment(int)}. */
    default CompletionStage<Optional<MediaBody>> whenInit(int number) {
        return CompletableFuture.completedFuture(initSegment(number));
    }

    /** The same for {@link #initSegment(int, long)}. */
    default CompletionStage<Optional<MediaBody>> whenInit(int number, long run) {
        return CompletableFuture.completedFuture(initSegment(number, run));
    }

    /** Locates its frames; empty before the first part and when closed. */
    Optional<FrameSource> frames();

    /** Everything answers 404 from now on; waiting requests are answered. */
    void close();
}
