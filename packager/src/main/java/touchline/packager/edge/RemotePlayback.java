package touchline.packager.edge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import touchline.media.SessionId;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.MediaUnreachableException;
import touchline.packager.hls.RenderedPlaylist;

/**
 * A session of another node, or one of its renditions. Playlists and media have the owner's bytes
 * and versions. What is here is returned at once; {@code when…} brings it here, with one request to
 * the owner for all that wait. Stages fail with {@link MediaUnreachableException}. Any thread.
 */
final class RemotePlayback implements LivePlayback {
    private static final CompletionStage<Boolean> HERE = CompletableFuture.completedFuture(true);
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int BAD_REQUEST = 400;

    private final RemoteMedia media;
    private final SessionId session;
    private final String path;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<PlaylistKind, Known> known = new EnumMap<>(PlaylistKind.class);

    @GuardedBy("lock")
    private boolean closed;

    /** Volatile: any thread writes the newest time. */
    private volatile long usedNs;

    /**
     * What the owner has said of a playlist.
     *
     * @param text owned; empty: there is none
     * @param atNs when it was received
     */
    private record Known(Optional<RenderedPlaylist> text, long atNs) {
        boolean isFresh(long nowNs) {
            return nowNs - atNs < RemoteMedia.FRESH_NS;
        }

        long version() {
            return text.map(RenderedPlaylist::version).orElse(Long.MIN_VALUE);
        }
    }

    /**
     * @param path its elements in addresses: {@code {session}} or {@code {session}/{rendition}}
     */
    RemotePlayback(RemoteMedia media, SessionId session, String path) {
        this.media = media;
        this.session = session;
        this.path = path;
        usedNs = media.nanoTime();
    }

    String path() {
        return path;
    }

    void touch() {
        usedNs = media.nanoTime();
    }

    long unusedNs(long nowNs) {
        return nowNs - usedNs;
    }

    @Override
    public SessionId session() {
        return session;
    }

    /** Empty: it belongs to the stream, not to a session of it ({@link RemoteMedia}). */
    @Override
    public Optional<String> multivariant(String prefix) {
        return Optional.empty();
    }

    @Override
    public Optional<LivePlayback> rendition(String name) {
        try {
            return Optional.of(media.playback(session, session.value() + '/' + name));
        } catch (MediaUnreachableException _) {
            // Far more names than a session has renditions.
            return Optional.empty();
        }
    }

    @Override
    public CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind) {
        Optional<Known> fresh = fresh(kind);
        if (fresh.isPresent()) {
            return CompletableFuture.completedFuture(fresh.get().text());
        }
        boolean full = kind == PlaylistKind.FULL;
        String name = path + (full ? "/media.m3u8?dvr=1" : "/media.m3u8");
        return media.join(name, () -> load(UpstreamRequest.of(media.below(name)), full))
                .thenApply(_ -> newest(kind));
    }

    /** With a reference for the caller: what has just come, however many wait for it. */
    private Optional<RenderedPlaylist> newest(PlaylistKind kind) {
        synchronized (lock) {
            return Optional.ofNullable(known.get(kind))
                    .flatMap(Known::text)
                    .map(RenderedPlaylist::retain);
        }
    }

    /** With a reference for the caller, if it may still be shown. */
    private Optional<Known> fresh(PlaylistKind kind) {
        long now = media.nanoTime();
        synchronized (lock) {
            if (closed) {
                return Optional.of(new Known(Optional.empty(), now));
            }
            Known found = known.get(kind);
            if (found == null || !found.isFresh(now)) {
                return Optional.empty();
            }
            if (kind == PlaylistKind.FULL && isBehind(found)) {
                return Optional.empty();
            }
            found.text().ifPresent(RenderedPlaylist::retain);
            return Optional.of(found);
        }
    }

    /** The window has something that the playlist from the start does not have. */
    @GuardedBy("lock")
    private boolean isBehind(Known full) {
        Known window = known.get(PlaylistKind.WINDOW);
        return window != null && full.text().isPresent() && full.version() < window.version();
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt part) {
        if (lists(mediaSequence, part)) {
            return HERE;
        }
        StringBuilder name = new StringBuilder(path).append("/media.m3u8?_HLS_msn=");
        name.append(mediaSequence);
        part.ifPresent(index -> name.append("&_HLS_part=").append(index));
        return media.join(
                name.toString(),
                () ->
                        load(UpstreamRequest.held(media.below(name.toString())), /* full= */ false)
                                .thenApply(_ -> lists(mediaSequence, part)));
    }

    /** Whether what is shown here, and is not old, ends with this or something later. */
    private boolean lists(long mediaSequence, OptionalInt part) {
        synchronized (lock) {
            Known window = known.get(PlaylistKind.WINDOW);
            return window != null
                    && window.isFresh(media.nanoTime())
                    && window.text()
                            .filter(text -> text.end().lists(mediaSequence, part))
                            .isPresent();
        }
    }

    /** Completes with whether there is a playlist, which then is known here. */
    private CompletionStage<Boolean> load(UpstreamRequest request, boolean full) {
        long askedNs = media.nanoTime();
        return Fetch.start(media, request).thenApply(answer -> loaded(answer, full, askedNs));
    }

    private boolean loaded(Optional<UpstreamAnswer> got, boolean full, long askedNs) {
        if (got.isEmpty()) {
            media.absent(this);
            return false;
        }
        UpstreamAnswer answer = got.get();
        try {
            media.counters().received(answer.body().sizeBytes());
            return switch (answer.status()) {
                case OK -> show(answer, full, askedNs);
                case NO_CONTENT -> {
                    show(PlaylistKind.FULL, Optional.empty(), askedNs);
                    yield false;
                }
                case BAD_REQUEST -> throw new IllegalArgumentException("too far ahead");
                default -> throw new MediaUnreachableException("answer " + answer.status());
            };
        } finally {
            answer.release();
        }
    }

    private boolean show(UpstreamAnswer answer, boolean full, long askedNs) {
        String header =
                answer.header(PlaylistBundle.HEADER)
                        .orElseThrow(() -> new MediaUnreachableException("not of a node"));
        List<RenderedPlaylist> read =
                PlaylistBundle.read(header, answer.body(), media.edge().memory());
        if (full) {
            show(PlaylistKind.FULL, Optional.of(read.getFirst()), askedNs);
            return true;
        }
        // Without low latency there is no delta update: the whole window is served in its place.
        RenderedPlaylist window = read.getFirst();
        RenderedPlaylist delta = read.size() > 1 ? read.get(1) : window.retain();
        show(PlaylistKind.WINDOW, Optional.of(window), askedNs);
        show(PlaylistKind.WINDOW_DELTA, Optional.of(delta), askedNs);
        return true;
    }

    /** Takes over the references. What was asked for later, or is a newer version, is shown. */
    private void show(PlaylistKind kind, Optional<RenderedPlaylist> text, long askedNs) {
        Known next = new Known(text, media.nanoTime());
        Optional<RenderedPlaylist> unused;
        synchronized (lock) {
            Known before = known.get(kind);
            boolean newer =
                    before == null
                            || askedNs - before.atNs() >= 0
                            || next.version() >= before.version();
            if (closed || !newer) {
                unused = text;
            } else {
                known.put(kind, next);
                unused = before == null ? Optional.empty() : before.text();
            }
        }
        unused.ifPresent(RenderedPlaylist::release);
    }

    @Override
    public CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
        return media.bring(name(mediaSequence, part), /* held= */ true);
    }

    @Override
    public CompletionStage<Optional<MediaBody>> whenInit(int number) {
        return when(name(number));
    }

    @Override
    public CompletionStage<Optional<MediaBody>> whenInit(int number, long run) {
        return when(name(number, run));
    }

    @Override
    public CompletionStage<Optional<MediaBody>> whenSegment(long mediaSequence) {
        return when(name(mediaSequence));
    }

    private CompletionStage<Optional<MediaBody>> when(String name) {
        return media.bring(name, /* held= */ false)
                .thenApply(
                        there ->
                                there
                                        ? Optional.of(
                                                body(name).orElseThrow(RemotePlayback::noMemory))
                                        : Optional.empty());
    }

    private static MediaUnreachableException noMemory() {
        return new MediaUnreachableException("no memory for the answer");
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return body(name(number));
    }

    @Override
    public Optional<MediaBody> initSegment(int number, long run) {
        return body(name(number, run));
    }

    @Override
    public Optional<MediaBody> segment(long mediaSequence) {
        return body(name(mediaSequence));
    }

    @Override
    public Optional<MediaBody> part(long mediaSequence, int part) {
        return body(name(mediaSequence, part));
    }

    private Optional<MediaBody> body(String name) {
        return media.kept(name).map(answer -> new MediaBody.Blocks(List.of(answer.body())));
    }

    private String name(int init) {
        return path + "/init" + init + ".mp4";
    }

    private String name(int init, long run) {
        return path + "/init" + init + '.' + run + ".mp4";
    }

    private String name(long mediaSequence) {
        return path + "/s" + mediaSequence + ".m4s";
    }

    private String name(long mediaSequence, int part) {
        return path + "/s" + mediaSequence + '.' + part + ".m4s";
    }

    /** Empty: its owner makes the thumbnails. */
    @Override
    public Optional<FrameSource> frames() {
        return Optional.empty();
    }

    @Override
    public void close() {
        List<Known> gone;
        synchronized (lock) {
            closed = true;
            gone = List.copyOf(known.values());
            known.clear();
        }
        gone.forEach(each -> each.text().ifPresent(RenderedPlaylist::release));
    }
}
