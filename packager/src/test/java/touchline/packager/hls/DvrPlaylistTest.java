package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.MediaPlaylist.Next;

/** The playlist from the start, made by a task that the test runs when it likes. */
final class DvrPlaylistTest {
    private static final MediaPlaylist.Head HEAD = new MediaPlaylist.Head(6, 500_000, true, false);

    private final CountedMemory memory = new CountedMemory();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<PlaylistSegment> segments = new ArrayList<>();
    private final List<Integer> asked = new ArrayList<>();
    private final DvrPlaylist full = new DvrPlaylist(this::since, memory, tasks::add);
    private Next next = Next.PART;
    private long oldest = 100;
    private long version;
    private boolean broken;

    @AfterEach
    void everyBlockIsGivenBack() {
        full.close();
        assertEquals(0, memory.liveBlocks());
    }

    private Optional<DvrPlaylist.Snapshot> since(long mediaSequence) {
        if (broken) {
            throw new IllegalStateException("a test's failure");
        }
        int from = Math.clamp(mediaSequence - oldest, 0, segments.size());
        List<PlaylistSegment> wanted = segments.subList(from, segments.size());
        asked.add(wanted.size());
        return Optional.of(
                new DvrPlaylist.Snapshot(new MediaPlaylist(HEAD, wanted, next), oldest, version));
    }

    /** Segments of two seconds in two parts; the last one grows. */
    private void segments(int count, int init) {
        for (int i = 0; i < count; i++) {
            long number = oldest + segments.size();
            long startUs = (number - 100) * 2_000_000;
            PlaylistSegment lines =
                    PlaylistSegment.of(
                            new MediaSegment(
                                    number,
                                    init,
                                    startUs,
                                    TestMedia.START.plusNanos(startUs * 1_000),
                                    List.of(),
                                    false));
            MediaSegment.Part part = new MediaSegment.Part(1_000_000, true, 10);
            segments.add(lines.with(part).with(part).seal());
        }
        version++;
    }

    private CompletableFuture<Optional<RenderedPlaylist>> ask() {
        return full.text(version).toCompletableFuture();
    }

    private String text(CompletableFuture<Optional<RenderedPlaylist>> answer) {
        RenderedPlaylist text = answer.join().orElseThrow();
        String plain = StandardCharsets.UTF_8.decode(text.plain().bytes()).toString();
        text.release();
        return plain;
    }

    private String rendered() {
        CompletableFuture<Optional<RenderedPlaylist>> answer = ask();
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        return text(answer);
    }

    /** What a playlist of all segments says, made at once. */
    private String whole() {
        MediaPlaylist playlist = new MediaPlaylist(HEAD, segments, next);
        StringBuilder out = new StringBuilder();
        playlist.appendHead(out, MediaPlaylist.Type.EVENT);
        playlist.appendSegments(out, 0, segments.size(), MediaPlaylist.NO_INIT);
        playlist.appendEnd(out);
        return out.toString();
    }

    @Test
    void text_growing_isWhatOneRenderingOfAllWouldBe() {
        for (int i = 0; i < 40; i++) {
            segments(1, i / 15);
            if (i % 3 > 0) {
                assertEquals(whole(), rendered());
            }
        }
        assertTrue(whole().contains("#EXT-X-PLAYLIST-TYPE:EVENT\n"));
        assertEquals(2, whole().split("#EXT-X-DISCONTINUITY\n", -1).length - 1);
        next = Next.END;
        version++;
        assertEquals(whole(), rendered());
        assertTrue(asked.getLast() <= 12, "only what may still change: " + asked);
    }

    @Test
    void text_manyAsk_isMadeOnceAndNotByThem() {
        segments(20, 0);
        List<CompletableFuture<Optional<RenderedPlaylist>>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(ask());
        }
        assertEquals(1, tasks.size());
        assertFalse(answers.getFirst().isDone());
        tasks.remove().run();
        answers.forEach(answer -> assertEquals(whole(), text(answer)));
        assertEquals(2, memory.liveBlocks(), "plain and gzip");
        CompletableFuture<Optional<RenderedPlaylist>> again = ask();
        assertTrue(again.isDone(), "until the next change");
        assertEquals(whole(), text(again));
        assertEquals(0, tasks.size());
    }

    @Test
    void text_oldestGone_startsAnew() {
        segments(30, 0);
        rendered();
        segments.subList(0, 5).clear();
        oldest += 5;
        version++;

        assertTrue(rendered().contains("#EXT-X-MEDIA-SEQUENCE:105\n"));
        assertEquals(whole(), rendered());
    }

    @Test
    void text_failure_isReturnedAndNotCached() {
        segments(20, 0);
        broken = true;
        CompletableFuture<Optional<RenderedPlaylist>> failed = ask();
        assertThrows(IllegalStateException.class, tasks.remove()::run);
        assertThrows(CompletionException.class, failed::join);
        broken = false;
        assertEquals(whole(), rendered());
    }

    @Test
    void text_executorThatRefuses_failsTheRequests() {
        DvrPlaylist refused =
                new DvrPlaylist(
                        this::since,
                        memory,
                        _ -> {
                            throw new RejectedExecutionException("a test's");
                        });
        assertThrows(CompletionException.class, refused.text(0).toCompletableFuture()::join);
    }

    @Test
    void close_withAWaitingReader_isEmptyAndKeepsNothing() {
        segments(20, 0);
        CompletableFuture<Optional<RenderedPlaylist>> waiting = ask();
        full.close();
        tasks.remove().run();
        assertEquals(Optional.empty(), waiting.join());
        assertEquals(Optional.empty(), ask().join());
    }

    @Test
    void cancelled_whileItIsMade_getsNoReferences() {
        segments(20, 0);
        ask().cancel(false);
        tasks.remove().run();
        assertEquals(2, memory.liveBlocks());
    }
}
