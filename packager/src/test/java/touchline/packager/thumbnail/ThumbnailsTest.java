package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.hls.TestMedia.Video;
import touchline.packager.thumbnail.ThumbnailResult.Busy;
import touchline.packager.thumbnail.ThumbnailResult.Made;
import touchline.packager.thumbnail.ThumbnailResult.Missing;
import touchline.packager.thumbnail.ThumbnailResult.Unavailable;
import touchline.packager.thumbnail.Thumbnails.ByDefault;

/** Ten seconds with a key frame each second, and a maker that remembers what it was asked for. */
final class ThumbnailsTest {
    private final PackagerRig rig =
            new PackagerRig(LatencyProfile.low(Duration.ofMillis(250)))
                    .feed(TestMedia.timeline(0, 0, ReadableVideo.TRACK))
                    .feed(ReadableVideo.of(TestMedia.video(new Video(25, 25, 0, 10_000))))
                    .run();
    private final AtomicLong now = new AtomicLong();
    private final Queue<Runnable> queued = new ArrayDeque<>();
    private final List<Long> madeMs = new ArrayList<>();
    private final List<DecodingRefusedException.Limit> refusals = new ArrayList<>();

    /** Time, in milliseconds, up to which frames are black. */
    private long blackUntilMs;

    private final Thumbnails thumbnails = with(this::make);
    private FrameSource source;

    @BeforeEach
    void open() {
        source = rig.window.frames().orElseThrow();
    }

    @AfterEach
    void close() {
        thumbnails.close();
        rig.window.close();
        assertEquals(0, rig.memory.liveBytes());
    }

    private Thumbnails with(ThumbnailDecoder maker) {
        return new Thumbnails(
                new CpuBudget(100, now::get),
                1 << 20,
                maker,
                queued::add,
                (_, refusal) -> refusals.add(refusal.limit()));
    }

    private ThumbnailDecoder.Made make(SessionId session, AccessUnit keyFrame, int maxWidth) {
        long ms = keyFrame.dtsUs() / 1000;
        madeMs.add(ms);
        byte[] jpeg =
                ("frame " + ms + " " + maxWidth)
                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        return new ThumbnailDecoder.Made(
                new Thumbnail(
                        MemorySegment.ofArray(jpeg), ms < blackUntilMs ? (int) (ms / 1000) : 60),
                /* remoteCpuNs= */ 0);
    }

    private CompletableFuture<ThumbnailResult> ask(OptionalLong timeUs, ByDefault byDefault) {
        return thumbnails
                .get(source, new ThumbnailRequest(timeUs, 320), byDefault)
                .toCompletableFuture();
    }

    private CompletableFuture<ThumbnailResult> at(long ms) {
        return ask(OptionalLong.of(ms * 1000), ByDefault.FIRST);
    }

    private void runQueued() {
        for (Runnable task = queued.poll(); task != null; task = queued.poll()) {
            task.run();
        }
    }

    @Test
    void get_aTime_makesItOnceAndKeepsIt() {
        CompletableFuture<ThumbnailResult> first = at(2500);
        CompletableFuture<ThumbnailResult> other = at(2500);
        assertEquals(1, queued.size(), "the second asks for the same");
        runQueued();
        assertSame(first.join(), other.join());
        assertSame(first.join(), at(2500).join());
        assertEquals(0, queued.size(), "it is there at once");
        assertEquals(List.of(2000L), madeMs);
        assertEquals(1, thumbnails.counters().decoded());
        assertEquals(1, thumbnails.counters().kept());
        assertTrue(thumbnails.counters().keptBytes() > 0);
    }

    @Test
    void get_twoTimesOfOneKeyFrame_decodesOnce() {
        CompletableFuture<ThumbnailResult> first = at(2000);
        CompletableFuture<ThumbnailResult> second = at(2999);
        runQueued();
        assertSame(
                assertInstanceOf(Made.class, first.join()).frame(),
                assertInstanceOf(Made.class, second.join()).frame());
        assertEquals(List.of(2000L), madeMs);
    }

    @Test
    void get_byTwoWorkersAtOnce_decodesOnce() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (ExecutorService workers = Executors.newFixedThreadPool(2)) {
            Thumbnails both =
                    new Thumbnails(
                            new CpuBudget(100, now::get),
                            1 << 20,
                            (session, unit, width) -> {
                                began.countDown();
                                awaitQuietly(goOn);
                                return make(session, unit, width);
                            },
                            workers,
                            (_, _) -> {});
            var first = both.get(source, request(2000), ByDefault.FIRST).toCompletableFuture();
            assertTrue(began.await(10, TimeUnit.SECONDS));
            var second = both.get(source, request(2400), ByDefault.FIRST).toCompletableFuture();
            goOn.countDown();
            assertSame(first.get(10, TimeUnit.SECONDS), second.get(10, TimeUnit.SECONDS));
            assertEquals(List.of(2000L), madeMs);
        }
    }

    private static ThumbnailRequest request(long ms) {
        return new ThumbnailRequest(OptionalLong.of(ms * 1000), 320);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(10, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void get_noTime_isTheNewestOrTheFirst() {
        CompletableFuture<ThumbnailResult> newest = ask(OptionalLong.empty(), ByDefault.NEWEST);
        CompletableFuture<ThumbnailResult> first = ask(OptionalLong.empty(), ByDefault.FIRST);
        runQueued();
        assertInstanceOf(Made.class, newest.join());
        assertInstanceOf(Made.class, first.join());
        assertEquals(List.of(9000L, 0L), madeMs);
    }

    @Test
    void first_afterBlackness_isTheFirstThatShowsSomething() {
        blackUntilMs = 3500;
        CompletableFuture<ThumbnailResult> first = ask(OptionalLong.empty(), ByDefault.FIRST);
        runQueued();
        assertTrue(text(first).contains("frame 4000 "), text(first));
        assertEquals(List.of(0L, 1000L, 2000L, 4000L), madeMs);
    }

    @Test
    void first_allBlack_isTheBestOfThem() {
        blackUntilMs = 100_000;
        CompletableFuture<ThumbnailResult> first = ask(OptionalLong.empty(), ByDefault.FIRST);
        runQueued();
        assertTrue(text(first).contains("frame 8000 "), text(first));
    }

    private static String text(CompletableFuture<ThumbnailResult> future) {
        byte[] jpeg =
                assertInstanceOf(Made.class, future.join())
                        .frame()
                        .jpeg()
                        .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        return new String(jpeg, java.nio.charset.StandardCharsets.US_ASCII);
    }

    @Test
    void get_undecodable_isMissingAndRemembered() {
        Thumbnails failing =
                with(
                        (_, unit, _) -> {
                            madeMs.add(unit.dtsUs());
                            throw new MalformedMediaException("a test's");
                        });
        for (int i = 0; i < 3; i++) {
            CompletableFuture<ThumbnailResult> result =
                    failing.get(source, request(2000 + i), ByDefault.FIRST).toCompletableFuture();
            runQueued();
            assertEquals(new Missing("the frame cannot be decoded"), result.join());
        }
        assertEquals(1, madeMs.size());
        assertEquals(1, failing.counters().undecodable());
    }

    @Test
    void get_tooLarge_saysWhy_isRememberedAndReported() {
        Thumbnails failing =
                with(
                        (_, unit, _) -> {
                            madeMs.add(unit.dtsUs());
                            throw new DecodingRefusedException(
                                    DecodingRefusedException.Limit.FRAME_SIZE, "frame size: 9x9");
                        });
        for (int i = 0; i < 2; i++) {
            var result = failing.get(source, request(2000 + i), ByDefault.FIRST);
            runQueued();
            assertEquals(new Missing("frame size: 9x9"), result.toCompletableFuture().join());
        }
        assertEquals(1, madeMs.size());
        assertEquals(List.of(DecodingRefusedException.Limit.FRAME_SIZE), refusals);
    }

    @Test
    void get_withoutDecoderMemory_isUnavailable_thenTriedAgain() {
        Thumbnails failing =
                with(
                        (session, unit, width) -> {
                            if (madeMs.isEmpty()) {
                                madeMs.add(0L);
                                throw new DecodingRefusedException(
                                        DecodingRefusedException.Limit.MEMORY, "decoder memory: 9");
                            }
                            return make(session, unit, width);
                        });
        var refused = failing.get(source, request(2000), ByDefault.FIRST);
        runQueued();
        assertEquals(
                new Unavailable("not enough decoder memory: 9"),
                refused.toCompletableFuture().join());

        var made = failing.get(source, request(2000), ByDefault.FIRST);
        runQueued();
        assertInstanceOf(Made.class, made.toCompletableFuture().join());
    }

    @Test
    void get_moreThanCanWait_areBusy() {
        List<CompletableFuture<ThumbnailResult>> waiting = new ArrayList<>();
        for (int i = 0; i < Thumbnails.MAX_WAITING; i++) {
            waiting.add(at(i));
        }
        assertEquals(new Busy(), at(5000).join());
        assertEquals(1, thumbnails.counters().refused());
        runQueued();
        for (CompletableFuture<ThumbnailResult> each : waiting) {
            assertInstanceOf(Made.class, each.join());
        }
        assertEquals(List.of(0L), madeMs);
        CompletableFuture<ThumbnailResult> again = at(5000);
        runQueued();
        assertInstanceOf(Made.class, again.join());
    }

    @Test
    void get_goneMeanwhile_isMissing() {
        CompletableFuture<ThumbnailResult> late = at(2000);
        rig.window.close();
        runQueued();
        assertEquals(new Missing("nothing is there"), late.join());
    }

    @Test
    void entityTag_ofOtherBytes_isAnother() {
        Thumbnail one = new Thumbnail(MemorySegment.ofArray(new byte[] {1, 2, 3}), 0);
        Thumbnail same = new Thumbnail(MemorySegment.ofArray(new byte[] {1, 2, 3}), 9);
        Thumbnail other = new Thumbnail(MemorySegment.ofArray(new byte[] {1, 2, 4}), 0);
        assertEquals(one.entityTag(), same.entityTag());
        assertTrue(!one.entityTag().equals(other.entityTag()));
        assertTrue(one.entityTag().matches("\"[0-9a-f]+\\.jpg\""), one.entityTag());
    }
}
