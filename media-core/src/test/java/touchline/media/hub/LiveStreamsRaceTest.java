package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

/** Properties that hold for every order of threads. */
@Timeout(120)
final class LiveStreamsRaceTest {
    private static final int ROUNDS = 150;

    private final SettableClock clock = new SettableClock();

    @Test
    void publish_manyAtOnce_exactlyOneGetsIn() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < ROUNDS; round++) {
                var hub = new Hub();
                var start = new CountDownLatch(1);
                var busy = new AtomicInteger();
                List<Future<Optional<Publication>>> tries = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    tries.add(
                            threads.submit(
                                    () -> {
                                        start.await();
                                        try {
                                            return Optional.of(hub.publish("p"));
                                        } catch (StreamBusyException e) {
                                            busy.incrementAndGet();
                                            return Optional.empty();
                                        }
                                    }));
                }
                start.countDown();
                long let = 0;
                for (Future<Optional<Publication>> one : tries) {
                    let += one.get().isPresent() ? 1 : 0;
                }
                assertEquals(1, let);
                assertEquals(7, busy.get());
            }
        }
    }

    /** One thread writes, one ends the session, one publishes again. */
    @Test
    void end_whileWritingAndPublishing_leavesEverySessionWellFormed() throws Exception {
        List<AccessUnit> media = SyntheticStream.standard().seconds(2).published(0);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < ROUNDS; round++) {
                var hub = new Hub();
                var start = new CountDownLatch(1);
                Publication first = hub.publish("a");
                Future<?> writer =
                        threads.submit(
                                () -> {
                                    start.await();
                                    first.begin(SyntheticStream.standard().tracks());
                                    media.forEach(first::write);
                                    first.close();
                                    return null;
                                });
                Future<?> ender =
                        threads.submit(
                                () -> {
                                    start.await();
                                    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
                                    while (!hub.isActive() && !writer.isDone()) {
                                        assertTrue(System.nanoTime() < endNs, "nothing started");
                                        Thread.onSpinWait();
                                    }
                                    hub.streams.end(Hub.STREAM, EndReason.COMPLETED);
                                    return null;
                                });
                start.countDown();
                writer.get();
                ender.get();
                hub.streams.end(Hub.STREAM, EndReason.SHUTDOWN);

                assertFalse(hub.isActive());
                assertEquals(
                        1,
                        Collections.frequency(hub.events, "started"),
                        String.valueOf(hub.events));
                assertEquals(1, hub.events.stream().filter(t -> t.startsWith("ended")).count());
                assertTrue(hub.events.getLast().startsWith("ended"), String.valueOf(hub.events));
                assertTrue(hub.cuts.size() <= 1, String.valueOf(hub.cuts));
                List<FeedItem> items = new ArrayList<>();
                while (hub.subscriptions.getFirst().drain(items::add)) {
                    assertFalse(items.isEmpty());
                }
                LiveStreamsTest.assertRising(items);
            }
        }
    }

    /** Two sessions, each with a listener that ends the other: held locks would deadlock. */
    @Test
    void listener_endsTheOtherSession_doesNotDeadlock() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < ROUNDS; round++) {
                var both = new CountDownLatch(2);
                var ended = new AtomicInteger();
                LiveStreams[] hub = new LiveStreams[1];
                hub[0] =
                        new LiveStreams(
                                clock,
                                clock::nanoTime,
                                clock.timer(),
                                new LiveStreams.Listener() {
                                    @Override
                                    public void publisherConnected(LiveStream live) {
                                        both.countDown();
                                        try {
                                            both.await();
                                        } catch (InterruptedException e) {
                                            throw new AssertionError(e);
                                        }
                                        String other =
                                                live.stream().value().equals("a") ? "b" : "a";
                                        hub[0].end(new StreamId(other), EndReason.COMPLETED);
                                    }

                                    @Override
                                    public void sessionEnded(LiveStream live, EndReason reason) {
                                        ended.incrementAndGet();
                                    }
                                });
                Future<?> a = threads.submit(() -> send(hub[0], "a"));
                Future<?> b = threads.submit(() -> send(hub[0], "b"));
                a.get();
                b.get();
                assertEquals(2, ended.get());
                assertEquals(List.of(), hub[0].active());
            }
        }
    }

    /**
     * The silent one wakes up just as it is replaced: nothing of it may follow the interruption.
     */
    @Test
    void takeover_oldPublisherWritesOn_nothingPassesBehindTheInterruption() throws Exception {
        List<AccessUnit> media = SyntheticStream.standard().seconds(4).published(0);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < ROUNDS; round++) {
                var hub = new Hub();
                Publication old = hub.publish("a");
                old.begin(SyntheticStream.standard().tracks());
                media.subList(0, 40).forEach(old::write);
                var start = new CountDownLatch(1);
                Future<?> writer =
                        threads.submit(
                                () -> {
                                    start.await();
                                    media.subList(40, media.size()).forEach(old::write);
                                    return null;
                                });
                start.countDown();
                hub.live().cutPublisher(PublishSource.PRIMARY, EndReason.KEY_RESET);
                Hub.send(hub.publish("b"), 0);
                writer.get();

                List<FeedItem> items = Hub.read(hub.subscriptions.getFirst());
                int gone = items.indexOf(Interruption.PUBLISHER_GONE);
                assertInstanceOf(Timeline.class, items.get(gone + 1));
                assertEquals(30 + 47, items.size() - gone - 2);
                LiveStreamsTest.assertRising(items);
            }
        }
    }

    private static void send(LiveStreams streams, String name) {
        Publication publication =
                streams.publish(
                        new PublishRequest(
                                new StreamId(name), Role.MAIN, Hub.WINDOW, name, _ -> {}));
        Hub.send(publication, 0);
    }
}
