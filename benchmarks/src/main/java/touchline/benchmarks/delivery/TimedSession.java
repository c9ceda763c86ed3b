package touchline.benchmarks.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.zip.GZIPOutputStream;
import touchline.media.SessionId;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.MediaMemory;
import touchline.packager.hls.PlaylistEnd;
import touchline.packager.hls.RenderedPlaylist;

/**
 * A low-latency session without an encoder: a part of a fixed size at each {@link #publish}, and
 * playlists of the usual length. Any thread.
 */
final class TimedSession implements LivePlayback {
    static final int PARTS = 4;

    private static final int PART_BYTES = 80 * 1024;
    private static final int LISTED = 30;
    private static final int KEPT = 200;

    private final SessionId session;
    private final MediaMemory memory;
    private final byte[] media = new byte[PART_BYTES];
    private final Object lock = new Object();
    private final Map<String, MediaBlock> parts = new LinkedHashMap<>();
    private final Map<Wanted, CompletableFuture<Boolean>> waiting = new HashMap<>();
    private Optional<RenderedPlaylist> window = Optional.empty();
    private long published = 100L * PARTS;

    private record Wanted(long mediaSequence, OptionalInt part, boolean exact) {}

    TimedSession(String session, MediaMemory memory) {
        this.session = new SessionId(session);
        this.memory = memory;
    }

    /** The next part is there, and is listed. */
    void publish() {
        List<CompletableFuture<Boolean>> answered = new ArrayList<>();
        synchronized (lock) {
            long mediaSequence = published / PARTS;
            int part = (int) (published % PARTS);
            published++;
            parts.put(name(mediaSequence, part), memory.copy(media));
            if (parts.size() > KEPT) {
                Iterator<MediaBlock> oldest = parts.values().iterator();
                oldest.next().release();
                oldest.remove();
            }
            PlaylistEnd end = new PlaylistEnd(mediaSequence, part, part == PARTS - 1, PARTS);
            window.ifPresent(RenderedPlaylist::release);
            window = Optional.of(rendered(mediaSequence, part, end));
            waiting.entrySet()
                    .removeIf(
                            each -> {
                                Wanted wanted = each.getKey();
                                boolean there = end.lists(wanted.mediaSequence(), wanted.part());
                                if (there) {
                                    answered.add(each.getValue());
                                }
                                return there;
                            });
        }
        answered.forEach(each -> each.complete(true));
    }

    private RenderedPlaylist rendered(long mediaSequence, int part, PlaylistEnd end) {
        StringBuilder text =
                new StringBuilder("#EXTM3U\n#EXT-X-VERSION:10\n#EXT-X-TARGETDURATION:1\n");
        text.append("#EXT-X-MEDIA-SEQUENCE:").append(mediaSequence - LISTED).append('\n');
        text.append("#EXT-X-MAP:URI=\"init0.mp4\"\n");
        for (long each = mediaSequence - LISTED; each <= mediaSequence; each++) {
            for (int i = 0; i < (each < mediaSequence ? PARTS : part + 1); i++) {
                text.append("#EXT-X-PART:DURATION=0.25,URI=\"")
                        .append(name(each, i))
                        .append("\"\n");
            }
            if (each < mediaSequence) {
                text.append("#EXTINF:1.00000,\ns").append(each).append(".m4s\n");
            }
        }
        byte[] plain = text.toString().getBytes(UTF_8);
        return new RenderedPlaylist(memory.copy(plain), memory.copy(gzip(plain)), published, end);
    }

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static String name(long mediaSequence, int part) {
        return "s" + mediaSequence + '.' + part + ".m4s";
    }

    @Override
    public SessionId session() {
        return session;
    }

    @Override
    public Optional<String> multivariant(String prefix) {
        return Optional.of("#EXTM3U\n" + prefix + session + "/media.m3u8\n");
    }

    @Override
    public CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind) {
        synchronized (lock) {
            window.ifPresent(RenderedPlaylist::retain);
            return CompletableFuture.completedFuture(window);
        }
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt part) {
        return when(new Wanted(mediaSequence, part, /* exact= */ false));
    }

    @Override
    public CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
        return when(new Wanted(mediaSequence, OptionalInt.of(part), /* exact= */ true));
    }

    private CompletionStage<Boolean> when(Wanted wanted) {
        synchronized (lock) {
            boolean there =
                    window.filter(now -> now.end().lists(wanted.mediaSequence(), wanted.part()))
                            .isPresent();
            return there
                    ? CompletableFuture.completedFuture(true)
                    : waiting.computeIfAbsent(wanted, _ -> new CompletableFuture<>()).copy();
        }
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
        synchronized (lock) {
            return Optional.ofNullable(parts.get(name(mediaSequence, part)))
                    .map(block -> new MediaBody.Blocks(List.of(block.retain())));
        }
    }

    @Override
    public Optional<FrameSource> frames() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
