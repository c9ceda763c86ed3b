package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import touchline.media.SessionId;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.MediaMemory;
import touchline.packager.hls.PlaylistEnd;
import touchline.packager.hls.RenderedPlaylist;

/** A session with contents set by a test; its parts appear on the test's command. */
final class FakePlayback implements LivePlayback {
    /** Of each segment but the last. */
    static final int PARTS = 4;

    private record Awaited(long mediaSequence, OptionalInt part) {}

    private final SessionId session;
    private final MediaMemory memory;
    private final Map<String, MediaBody> media = new ConcurrentHashMap<>();
    private final Map<PlaylistKind, RenderedPlaylist> playlists = new ConcurrentHashMap<>();
    private final Map<Awaited, CompletableFuture<Boolean>> awaited = new ConcurrentHashMap<>();
    private final Map<Awaited, CompletableFuture<Boolean>> exact = new ConcurrentHashMap<>();
    private final Map<PlaylistKind, CompletableFuture<Void>> slow = new ConcurrentHashMap<>();
    private final Map<String, LivePlayback> renditions = new ConcurrentHashMap<>();
    private final List<MediaBlock> owned = new ArrayList<>();
    private volatile Optional<String> multivariantBody = Optional.empty();
    private volatile long limit = Long.MAX_VALUE;
    private final AtomicInteger registrations = new AtomicInteger();

    FakePlayback(String session, MediaMemory memory) {
        this.session = new SessionId(session);
        this.memory = memory;
    }

    /** What stands behind the prefix in the multivariant playlist. */
    FakePlayback multivariantNaming(String body) {
        multivariantBody = Optional.of(body);
        return this;
    }

    /** Ends with the first part of the segment that has the version's number. */
    FakePlayback playlistText(PlaylistKind kind, long version, String text) {
        byte[] plain = text.getBytes(UTF_8);
        PlaylistEnd end = new PlaylistEnd(version, 0, /* sealed= */ false, PARTS);
        playlists.put(kind, new RenderedPlaylist(block(plain), block(gzip(plain)), version, end));
        return this;
    }

    /**
     * Media in blocks, under its name without the suffix: {@code init0}, {@code s7}, {@code s7.2}.
     */
    FakePlayback blocks(String name, byte[]... contents) {
        List<MediaBlock> blocks = new ArrayList<>();
        for (byte[] content : contents) {
            blocks.add(block(content));
        }
        media.put(name, new MediaBody.Blocks(blocks));
        return this;
    }

    /** Media in files; see {@link #blocks}. */
    FakePlayback file(String name, MediaBody files) {
        media.put(name, files);
        return this;
    }

    /** A rendition of this session. */
    FakePlayback rendition(String name, FakePlayback playback) {
        renditions.put(name, playback);
        return this;
    }

    /** Its renditions are gone. */
    void dropRenditions() {
        renditions.clear();
    }

    /** Media sequence numbers above it are too far ahead. */
    FakePlayback limit(long mediaSequence) {
        limit = mediaSequence;
        return this;
    }

    /** The playlist is not there until the future completes. */
    FakePlayback slow(PlaylistKind kind, CompletableFuture<Void> until) {
        slow.put(kind, until);
        return this;
    }

    /** Answers all present and future requests for the bytes of this part. */
    void decided(long mediaSequence, int part, boolean there) {
        exact.computeIfAbsent(
                        new Awaited(mediaSequence, OptionalInt.of(part)),
                        _ -> new CompletableFuture<>())
                .complete(there);
    }

    /** Answers all present and future requests for it. */
    void reached(long mediaSequence, OptionalInt part, boolean available) {
        part.ifPresent(index -> decided(mediaSequence, index, available));
        stage(mediaSequence, part).complete(available);
    }

    void failed(long mediaSequence, OptionalInt part, RuntimeException failure) {
        stage(mediaSequence, part).completeExceptionally(failure);
    }

    /** How often whenAvailable was called. */
    int registrations() {
        return registrations.get();
    }

    private CompletableFuture<Boolean> stage(long mediaSequence, OptionalInt part) {
        return awaited.computeIfAbsent(
                new Awaited(mediaSequence, part), _ -> new CompletableFuture<>());
    }

    private MediaBlock block(byte[] content) {
        MediaBlock block = memory.allocate(content.length);
        block.bytes().put(content);
        owned.add(block);
        return block;
    }

    static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public SessionId session() {
        return session;
    }

    @Override
    public Optional<String> multivariant(String prefix) {
        return multivariantBody.map(body -> "#EXTM3U\n" + prefix + body + "\n");
    }

    @Override
    public CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind) {
        CompletableFuture<Void> pending = slow.get(kind);
        return pending == null
                ? CompletableFuture.completedFuture(playlist(kind))
                : pending.thenApply(_ -> playlist(kind));
    }

    private Optional<RenderedPlaylist> playlist(PlaylistKind kind) {
        Optional<RenderedPlaylist> text = Optional.ofNullable(playlists.get(kind));
        text.ifPresent(
                t -> {
                    t.plain().retain();
                    t.gzip().retain();
                });
        return text;
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt part) {
        registrations.incrementAndGet();
        if (mediaSequence > limit) {
            throw new IllegalArgumentException(
                    "mediaSequence: " + mediaSequence + " (expected: <= " + limit + ")");
        }
        return stage(mediaSequence, part);
    }

    @Override
    public CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
        registrations.incrementAndGet();
        if (mediaSequence > limit) {
            throw new IllegalArgumentException(
                    "mediaSequence: " + mediaSequence + " (expected: <= " + limit + ")");
        }
        return exact.computeIfAbsent(
                new Awaited(mediaSequence, OptionalInt.of(part)), _ -> new CompletableFuture<>());
    }

    @Override
    public Optional<LivePlayback> rendition(String name) {
        return Optional.ofNullable(renditions.get(name));
    }

    @Override
    public Optional<MediaBody> initSegment(int number, long run) {
        return run == 7 ? initSegment(number) : Optional.empty();
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return body("init" + number);
    }

    @Override
    public Optional<MediaBody> segment(long mediaSequence) {
        return body("s" + mediaSequence);
    }

    @Override
    public Optional<MediaBody> part(long mediaSequence, int part) {
        return body("s" + mediaSequence + "." + part);
    }

    private Optional<MediaBody> body(String name) {
        Optional<MediaBody> body = Optional.ofNullable(media.get(name));
        if (body.isPresent() && body.get() instanceof MediaBody.Blocks blocks) {
            blocks.blocks().forEach(MediaBlock::retain);
        }
        return body;
    }

    @Override
    public Optional<FrameSource> frames() {
        return Optional.empty();
    }

    /** Drops everything, answers waiting requests and releases the references of this fake. */
    @Override
    public void close() {
        playlists.clear();
        media.clear();
        owned.forEach(MediaBlock::release);
        owned.clear();
        List.copyOf(awaited.values()).forEach(stage -> stage.complete(false));
        List.copyOf(exact.values()).forEach(stage -> stage.complete(false));
    }
}
