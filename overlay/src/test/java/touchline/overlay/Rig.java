package touchline.overlay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.ffmpeg.GpuUse;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.media.hub.Subscription;
import touchline.testing.SettableClock;

/**
 * A session in a real hub with a viewer of its program. The publisher waits for the program, so
 * that no frame is dropped on a slow machine.
 */
final class Rig implements AutoCloseable, LiveStreams.Listener {
    private static final StreamId STREAM = new StreamId("str_test");
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    final CompositorCounters counters = new CompositorCounters();
    final List<String> events = new CopyOnWriteArrayList<>();

    @GuardedBy("this")
    private final List<FeedItem> program = new ArrayList<>();

    @GuardedBy("this")
    private long newestNs;

    private final SettableClock clock = new SettableClock();
    private final LiveStreams hub =
            new LiveStreams(clock, clock::nanoTime, clock.timer(), /* listener= */ this);
    private final boolean fromTheStart;
    private final LongSupplier lateness;
    private final CountDownLatch viewed = new CountDownLatch(1);
    private final Publication publication;
    private @Nullable LiveStream live;
    private @Nullable Compositor compositor;

    /**
     * For tests of what comes out: nothing is late on a busy machine, so no frame is dropped.
     *
     * @param fromTheStart whether the session starts with a compositor
     */
    Rig(boolean fromTheStart) {
        this(fromTheStart, () -> 0);
    }

    /**
     * @param lateness clock of the compositor for lateness and load
     */
    Rig(boolean fromTheStart, LongSupplier lateness) {
        this.fromTheStart = fromTheStart;
        this.lateness = lateness;
        this.publication = publish();
    }

    Publication publish() {
        return hub.publish(
                new PublishRequest(STREAM, Role.MAIN, Duration.ofMinutes(1), "test", _ -> {}));
    }

    @Override
    public void sessionStarted(LiveStream started) {
        live = started;
        if (fromTheStart) {
            started.programSwitch().takeOver();
            compositor =
                    Compositor.start(
                            started.source().subscribe("compositor", Compositor.QUEUE_BYTES),
                            settings(started),
                            dependencies(started));
        }
        Subscription viewer = started.program().subscribe("viewer", 256L << 20);
        Thread.ofPlatform().name("viewer").start(() -> view(viewer));
    }

    /** Puts a compositor into the running session. */
    Compositor join() {
        LiveStream running = live();
        Compositor joined =
                Compositor.join(
                        running.source().subscribe("compositor", Compositor.QUEUE_BYTES),
                        settings(running),
                        dependencies(running));
        compositor = joined;
        return joined;
    }

    Compositor compositor() {
        await(() -> compositor != null, "a compositor");
        Compositor running = compositor;
        if (running == null) {
            throw new IllegalStateException();
        }
        return running;
    }

    LiveStream live() {
        LiveStream running = live;
        if (running == null) {
            throw new IllegalStateException("no session");
        }
        return running;
    }

    /** Time since the newest frame came out; large before the first. */
    synchronized long silentNs() {
        return System.nanoTime() - newestNs;
    }

    private static CompositorSettings settings(LiveStream session) {
        return new CompositorSettings(
                session.stream(),
                session.session(),
                /* keyFrameUs= */ 2_000_000,
                new CompositorSettings.Encoding(
                        Studio.encoder(), 8_000_000, VideoSettings.Speed.VERYFAST, 1),
                GpuUse.NONE);
    }

    private Compositor.Dependencies dependencies(LiveStream session) {
        return new Compositor.Dependencies(
                session.programSwitch(),
                AudioStage.PASS,
                counters,
                new CompositorListener() {
                    @Override
                    public void tookOver() {
                        events.add("took over");
                    }

                    @Override
                    public void overloaded(String message) {
                        events.add(message);
                    }

                    @Override
                    public void relieved() {
                        events.add("relieved");
                    }

                    @Override
                    public void failed(RuntimeException cause) {
                        events.add("failed: " + cause.getMessage());
                    }
                },
                lateness);
    }

    /** The first publisher's media. */
    Publication publication() {
        return publication;
    }

    /** Sends units, no faster than the program shows their frames. */
    void send(List<AccessUnit> units) {
        send(publication, units);
    }

    void send(Publication to, List<AccessUnit> units) {
        to.begin(Studio.tracks(units));
        long sent = 0;
        long before = frames().size();
        for (AccessUnit unit : units) {
            to.write(unit);
            to.flush();
            if (unit.track().isVideo()) {
                sent++;
                long wanted = before + sent - 3;
                await(() -> frames().size() >= wanted, wanted + " frames");
            }
        }
    }

    /** Waits for this number of frames. */
    void awaitFrames(int count) {
        await(() -> frames().size() >= count, count + " frames");
    }

    /**
     * Ends the session; waits until the viewer has received everything and the compositor has
     * ended.
     */
    void end() throws InterruptedException {
        hub.end(STREAM, EndReason.COMPLETED);
        if (!viewed.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the program did not end: " + state());
        }
        await(() -> compositor == null || !compositor.isRunning(), "the compositor's end");
    }

    List<AccessUnit> frames() {
        return units(true);
    }

    List<AccessUnit> audio() {
        return units(false);
    }

    List<Timeline> timelines() {
        return program().stream()
                .filter(Timeline.class::isInstance)
                .map(Timeline.class::cast)
                .toList();
    }

    private List<AccessUnit> units(boolean video) {
        List<AccessUnit> units = new ArrayList<>();
        for (FeedItem item : program()) {
            if (item instanceof AccessUnit unit && unit.track().isVideo() == video) {
                units.add(unit);
            }
        }
        return units;
    }

    /** Checks the condition after each unit and periodically. */
    synchronized void await(BooleanSupplier condition, String what) {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() > deadlineNs) {
                    throw new AssertionError("not in time: " + what + "; " + state());
                }
                wait(/* timeoutMillis= */ 5);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private synchronized void received(FeedItem item) {
        newestNs = System.nanoTime();
        program.add(item);
        notifyAll();
    }

    /** All units so far. */
    synchronized List<FeedItem> program() {
        return List.copyOf(program);
    }

    private String state() {
        return "frames=%d audio=%d dropped=%d broken=%d events=%s"
                .formatted(
                        frames().size(),
                        audio().size(),
                        counters.dropped(),
                        counters.brokenUnits(),
                        events);
    }

    private void view(Subscription viewer) {
        try (viewer) {
            while (viewer.drain(this::received)) {
                // The viewer stores every item.
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            viewed.countDown();
        }
    }

    /** Distinct video tracks of the program, in order. */
    List<Track> frameTracks() {
        return frames().stream().map(AccessUnit::track).distinct().toList();
    }

    @Override
    public void close() {
        hub.endAll();
        Compositor running = compositor;
        if (running != null) {
            running.close();
        }
    }
}
