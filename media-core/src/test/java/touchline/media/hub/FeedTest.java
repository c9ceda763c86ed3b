package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.testing.Dump;
import touchline.testing.SyntheticStream;

@Timeout(120)
final class FeedTest {
    private static final SyntheticStream MEDIA = SyntheticStream.standard().seconds(6);

    private static final List<FeedItem> ITEMS = MEDIA.feed();

    private final Feed feed = new Feed();

    @Test
    void subscribe_early_getsEverythingInOrder() throws InterruptedException {
        Subscription subscription = feed.subscribe("early", 64L << 20);

        ITEMS.forEach(feed::offer);
        feed.flush();

        assertSameItems(ITEMS, Hub.read(subscription));
        assertEquals(0, subscription.droppedUnits());
    }

    @Test
    void subscribe_late_getsTheTimelineAndTheCurrentGroup() throws InterruptedException {
        List<FeedItem> all = ITEMS;
        all.forEach(feed::offer);
        int key = lastKey(all);

        List<FeedItem> items = Hub.read(feed.subscribe("late", 64L << 20));

        assertSame(all.getFirst(), items.getFirst());
        assertEquals(all.subList(key, all.size()), items.subList(1, items.size()));
    }

    @Test
    void subscribe_betweenInterruptionAndTimeline_getsNothingOld() throws InterruptedException {
        ITEMS.forEach(feed::offer);
        feed.offer(Interruption.PUBLISHER_GONE);

        Subscription subscription = feed.subscribe("late", 64L << 20);
        assertEquals(0, subscription.queuedBytes());
        Timeline next = new Timeline(1, MEDIA.tracks(), 6_000_000, SyntheticStream.STARTED_AT);
        feed.offer(next);

        assertEquals(List.of(next), Hub.read(subscription));
    }

    @Test
    void subscribe_groupTooLargeToKeep_waitsForAKeyFrame() throws InterruptedException {
        SyntheticStream heavy = MEDIA.frameBytes(1 << 20).withoutAudio();
        List<FeedItem> all = heavy.feed();
        all.subList(0, 1 + 50).forEach(feed::offer);

        Subscription subscription = feed.subscribe("late", 1L << 40);
        all.subList(51, all.size()).forEach(feed::offer);

        List<FeedItem> items = Hub.read(subscription);
        assertInstanceOf(Timeline.class, items.getFirst());
        assertSame(all.get(1 + 60), items.get(1));
        assertEquals(0, subscription.droppedUnits());
    }

    @Test
    void offer_readerTooSlow_dropsToTheNextKeyFrameAndCounts() throws InterruptedException {
        SyntheticStream video = MEDIA.withoutAudio();
        List<FeedItem> all = video.feed();
        Subscription subscription = feed.subscribe("slow", 100_000);
        all.subList(0, 1 + 50).forEach(feed::offer);

        List<FeedItem> before = Hub.read(subscription);
        all.subList(51, all.size()).forEach(feed::offer);
        List<FeedItem> after = Hub.read(subscription);

        int kept = before.size() - 1;
        assertTrue(kept > 1 && kept < 50, "kept " + kept);
        assertEquals(all.subList(0, before.size()), before);
        assertTrue(((AccessUnit) after.getFirst()).isKeyFrame());
        assertSame(all.get(1 + 60), after.getFirst());
        assertEquals(180 - kept - after.size(), subscription.droppedUnits());
    }

    @Test
    void subscribe_toAudioOrKeyFrames_getsOnlyThose() throws InterruptedException {
        Subscription audio = feed.subscribe("audio", 64L << 20, UnitChoice.AUDIO);
        Subscription keyFrames = feed.subscribe("key", 64L << 20, UnitChoice.KEY_FRAMES);
        ITEMS.forEach(feed::offer);
        Subscription late = feed.subscribe("late", 64L << 20, UnitChoice.AUDIO);

        List<FeedItem> heard = Hub.read(audio);
        List<FeedItem> seen = Hub.read(keyFrames);

        assertSame(ITEMS.getFirst(), heard.getFirst());
        assertEquals(
                ITEMS.stream()
                        .filter(it -> it instanceof AccessUnit unit && !unit.track().isVideo())
                        .toList(),
                heard.subList(1, heard.size()));
        assertEquals(1 + 3, seen.size());
        assertTrue(Hub.read(late).size() > 1);
    }

    @Test
    void offer_readerOfAudioTooSlow_dropsWithoutSlowingThePublisher() throws Exception {
        Subscription audio = feed.subscribe("audio", 2_000, UnitChoice.AUDIO);
        ITEMS.forEach(feed::offer);

        assertTrue(audio.droppedUnits() > 0);
        assertEquals(0, feed.fullness());
        List<FeedItem> polled = new ArrayList<>();
        audio.poll(polled::add);
        assertTrue(polled.size() > 1);
        feed.offer(ITEMS.getLast());
        polled.clear();
        audio.poll(polled::add);
        assertEquals(List.of(ITEMS.getLast()), polled);
        audio.poll(polled::add);
        assertEquals(1, polled.size());
    }

    @Test
    void offer_audioOnlyAndSlow_goesOnWhenThereIsRoom() throws InterruptedException {
        List<FeedItem> all = MEDIA.withoutVideo().feed();
        Subscription subscription = feed.subscribe("slow", 1_000);
        all.forEach(feed::offer);
        int before = Hub.read(subscription).size();

        AccessUnit next = (AccessUnit) all.getLast();
        feed.offer(next);

        assertEquals(List.of(next), Hub.read(subscription));
        assertEquals(all.size() - before, subscription.droppedUnits());
    }

    @Test
    void offer_timelinesWithoutEndToAReaderThatStands_areBounded() throws InterruptedException {
        Subscription subscription = feed.subscribe("stuck", 10_000);
        AccessUnit tooLarge = MEDIA.frameBytes(20_000).withoutAudio().units().getFirst();
        for (int i = 0; i < 1_000; i++) {
            feed.offer(new Timeline(i, MEDIA.tracks(), i, SyntheticStream.STARTED_AT));
            feed.offer(tooLarge);
            feed.offer(Interruption.PUBLISHER_GONE);
        }

        List<FeedItem> items = Hub.read(subscription);

        assertTrue(items.size() <= 3, "waiting " + items.size());
        assertSame(Interruption.PUBLISHER_GONE, items.getLast());
        assertEquals(1_000, subscription.droppedUnits());
    }

    @Test
    void end_waitingReader_isReleased() throws InterruptedException {
        Subscription subscription = feed.subscribe("reader", 1_000);
        var released = new CountDownLatch(1);
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        Thread reader =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        while (subscription.drain(_ -> {})) {
                                            assertTrue(System.nanoTime() < endNs, "no end");
                                        }
                                        released.countDown();
                                    } catch (InterruptedException e) {
                                        throw new AssertionError(e);
                                    }
                                });

        feed.end();

        assertTrue(released.await(10, TimeUnit.SECONDS));
        assertTrue(reader.join(Duration.ofSeconds(10)));
        assertFalse(feed.subscribe("after", 1_000).drain(_ -> {}));
    }

    @Test
    void close_subscription_getsNothingMore() throws InterruptedException {
        Subscription subscription = feed.subscribe("reader", 64L << 20);
        ITEMS.subList(0, 10).forEach(feed::offer);

        subscription.close();
        ITEMS.subList(10, 20).forEach(feed::offer);

        assertFalse(subscription.drain(_ -> {}));
        assertEquals(0, subscription.queuedBytes());
    }

    @Test
    void drain_whileAnotherThreadOffers_losesNothing() throws InterruptedException {
        Subscription subscription = feed.subscribe("reader", 1L << 40);
        List<FeedItem> read = new ArrayList<>();
        Thread writer =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (FeedItem item : ITEMS) {
                                        feed.offer(item);
                                        feed.flush();
                                    }
                                    feed.end();
                                });

        while (subscription.drain(read::add)) {
            assertFalse(read.isEmpty());
        }
        writer.join();

        assertSameItems(ITEMS, read);
    }

    /** Without megabytes of text where they differ. */
    private static void assertSameItems(List<FeedItem> expected, List<FeedItem> actual) {
        assertEquals(Dump.of(expected), Dump.of(actual));
        assertTrue(expected.equals(actual), "other payloads");
    }

    private static int lastKey(List<FeedItem> items) {
        int last = 0;
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof AccessUnit unit && unit.isKeyFrame()) {
                last = i;
            }
        }
        return last;
    }
}
