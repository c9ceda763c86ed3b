package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.api.domain.AssetId;
import touchline.media.Timeline;
import touchline.packager.hls.CountedMemory;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.PartSink.FinishedPart;
import touchline.packager.hls.PartSink.SealedSegment;
import touchline.packager.hls.TestMedia;
import touchline.testing.Await;

/** A session of another node, whose asset goes on here or not. */
@Timeout(60)
final class InterruptedPartTest {
    private static final AssetId BEFORE = new AssetId("ast_before");
    private static final AssetId ANOTHER = new AssetId("ast_another");
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int PART_BYTES = 10;

    private final CountedMemory memory = new CountedMemory();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch prepared = new CountDownLatch(1);
    private final CountDownLatch taken = new CountDownLatch(1);
    private volatile boolean isThere = true;
    private volatile boolean isOurs = true;

    /** What the takeover waits for. */
    private volatile CountDownLatch waiting = prepared;

    /** S3 and database, which answer when a test lets them. */
    private final InterruptedPart.Takeover takeover =
            new InterruptedPart.Takeover() {
                @Override
                public AssetId asset() {
                    return BEFORE;
                }

                @Override
                public boolean prepare() {
                    await(prepared);
                    return isThere;
                }

                @Override
                public Optional<RecordingPart> take() {
                    await(taken);
                    return isOurs ? Optional.of(new Target(BEFORE)) : Optional.empty();
                }

                @Override
                public void discard() {
                    calls.add("discard");
                }
            };

    /** Writes its calls down. */
    private final class Target implements RecordingPart {
        private final AssetId asset;

        Target(AssetId asset) {
            this.asset = asset;
        }

        private void add(String call) {
            calls.add(asset + " " + call);
        }

        @Override
        public Optional<AssetId> asset() {
            return Optional.of(asset);
        }

        @Override
        public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
            add("init " + number);
        }

        @Override
        public void part(FinishedPart part) {
            add("part " + part.mediaSequence());
        }

        @Override
        public void sealed(SealedSegment segment) {
            add("sealed " + segment.mediaSequence());
        }

        @Override
        public void end() {
            add("end");
        }

        @Override
        public void suspend() {
            add("suspend");
        }

        @Override
        public void close() {
            add("close");
        }
    }

    private void await(CountDownLatch latch) {
        waiting = latch;
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private InterruptedPart open(Duration prepare, long heldBytes) {
        return InterruptedPart.open(
                takeover,
                () -> new Target(ANOTHER),
                new InterruptedPart.Limits(prepare, heldBytes, LONG),
                task -> Thread.ofVirtual().start(task));
    }

    private void init(InterruptedPart part) {
        MediaBlock block = memory.allocate(PART_BYTES);
        part.initSegment(8, TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO), block);
        block.release();
    }

    private void segment(InterruptedPart part, long number) {
        MediaBlock block = memory.allocate(PART_BYTES);
        part.part(new FinishedPart(number, 0, number * 1_000_000, 1_000_000, true, block));
        block.release();
        part.sealed(new SealedSegment(number, 8, number * 1_000_000, 1_000_000, 1, PART_BYTES));
    }

    private void awaitTarget(InterruptedPart part, AssetId asset) {
        Await.until(() -> calls.contains(asset + " init 8") && memory.liveBlocks() == 0);
        assertEquals(Optional.of(asset), part.asset());
    }

    @AfterEach
    void everyBlockIsGivenBack() {
        assertEquals(0, memory.liveBlocks());
    }

    @Test
    void media_isHeldUntilTheAssetIsThere_andGoesOnInItsOrder() {
        InterruptedPart part = open(LONG, 1_000);
        init(part);
        segment(part, 108);
        assertEquals(Optional.of(BEFORE), part.asset());
        assertEquals(0.02, part.fullness());

        prepared.countDown();
        taken.countDown();
        awaitTarget(part, BEFORE);
        segment(part, 109);
        part.end();
        part.close();

        assertEquals(
                List.of(
                        "ast_before init 8",
                        "ast_before part 108",
                        "ast_before sealed 108",
                        "ast_before part 109",
                        "ast_before sealed 109",
                        "ast_before end",
                        "ast_before close"),
                calls);
        assertEquals(0, part.fullness());
    }

    @Test
    void storeThatDoesNotAnswer_isNotWaitedFor() {
        InterruptedPart part = open(Duration.ofMillis(1), 1_000);
        init(part);
        segment(part, 108);

        awaitTarget(part, ANOTHER);
        assertTrue(calls.contains("ast_another part 108"), calls::toString);
        prepared.countDown();
        Await.until(() -> calls.contains("discard"));
        part.close();
    }

    @Test
    void moreMediaThanMayBeHeld_becomesAnotherAsset_withNothingMissing() {
        InterruptedPart part = open(LONG, PART_BYTES * 3);
        init(part);
        for (int number = 108; number < 111; number++) {
            segment(part, number);
        }

        awaitTarget(part, ANOTHER);
        for (int number = 108; number < 111; number++) {
            assertTrue(calls.contains("ast_another part " + number), calls::toString);
        }
        prepared.countDown();
        part.close();
        Await.until(() -> calls.contains("discard"));
    }

    @Test
    void assetThatIsNotHere_isAnother() {
        isThere = false;
        InterruptedPart part = open(LONG, 1_000);
        init(part);
        prepared.countDown();

        awaitTarget(part, ANOTHER);
        Await.until(() -> calls.contains("discard"));
        part.close();
    }

    @Test
    void assetThatTheDatabaseRefuses_isAnother_andWhatWasBroughtIsRemoved() {
        isOurs = false;
        InterruptedPart part = open(LONG, 1_000);
        init(part);
        prepared.countDown();
        taken.countDown();

        awaitTarget(part, ANOTHER);
        assertEquals("discard", calls.getFirst());
        part.close();
    }

    @Test
    void stopOfTheServer_beforeItIsKnown_suspendsAnotherAsset() {
        InterruptedPart part = open(LONG, 1_000);
        init(part);
        part.suspend();
        part.close();

        assertEquals(
                List.of("ast_another init 8", "ast_another suspend", "ast_another close"), calls);
        prepared.countDown();
        Await.until(() -> calls.contains("discard"));
    }

    @Test
    void close_whileTheDatabaseHangs_leavesTheEndToTheOneThatWaits() {
        InterruptedPart part =
                InterruptedPart.open(
                        takeover,
                        () -> new Target(ANOTHER),
                        new InterruptedPart.Limits(LONG, 1_000, Duration.ofMillis(1)),
                        task -> Thread.ofVirtual().start(task));
        init(part);
        prepared.countDown();
        // The media is all there: it is not given up any more.
        Await.until(() -> waiting.equals(taken));
        part.close();
        assertEquals(Optional.empty(), part.asset());
        assertEquals(List.of(), calls);

        taken.countDown();
        Await.until(() -> calls.contains("ast_before close"));
        assertEquals(List.of("ast_before init 8", "ast_before end", "ast_before close"), calls);
    }
}
