package touchline.overlay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.StreamId;
import touchline.media.ffmpeg.GpuUse;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.media.hub.Subscription;
import touchline.overlay.stream.OverlayStream;
import touchline.overlay.stream.ProgramAudio;
import touchline.testing.SettableClock;

/**
 * A main stream and an overlay stream in a real hub, in steps of the main frames. Time stands still
 * while a frame is composed: a compositor that waits for the overlay stream would never release it.
 */
final class OverlayStreamRig implements AutoCloseable {
    private static final StreamId STREAM = new StreamId("str_test");
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    /** Frames in flight between publisher and program: more would count as late. */
    private static final int MOST_ON_THE_WAY = 1;

    final CompositorCounters counters = new CompositorCounters();
    private final SettableClock clock = new SettableClock();
    private final ProgramAudio audio =
            new ProgramAudio(clock::nanoTime, /* expectsOverlay= */ true);
    private final OverlayStream overlay;
    private final LiveStreams hub =
            new LiveStreams(clock, clock::nanoTime, clock.timer(), new Dependencies());
    private final CountDownLatch viewed = new CountDownLatch(1);
    private final Publication main;
    private final Deque<AccessUnit> overlayUnits = new ArrayDeque<>();
    private @Nullable Publication push;
    private @Nullable Compositor compositor;
    private final long startNs;
    private long sent;

    @GuardedBy("this")
    private final List<AccessUnit> program = new ArrayList<>();

    /** Does what a session does in the server. */
    private final class Dependencies implements LiveStreams.Listener {
        @Override
        public void sessionStarted(LiveStream live) {
            if (live.role() == Role.OVERLAY) {
                overlay.attach(live.source().subscribe("scoreboard", OverlayStream.QUEUE_BYTES));
                return;
            }
            live.programSwitch().takeOver();
            Compositor started =
                    Compositor.start(
                            live.source().subscribe("compositor", Compositor.QUEUE_BYTES),
                            settings(live),
                            new Compositor.Dependencies(
                                    live.programSwitch(),
                                    audio.stage(),
                                    counters,
                                    CompositorListener.NONE,
                                    clock::nanoTime));
            started.layers(List.of(overlay.layer()));
            compositor = started;
            Subscription viewer = live.program().subscribe("viewer", 256L << 20);
            Thread.ofPlatform().name("viewer").start(() -> view(viewer));
        }
    }

    OverlayStreamRig(OverlaySpec.Stream spec) {
        overlay = new OverlayStream(STREAM, spec, audio, clock::nanoTime);
        main = publish(Role.MAIN);
        clock.advance(Duration.ofSeconds(11));
        startNs = clock.nanoTime();
    }

    private Publication publish(Role role) {
        return hub.publish(
                new PublishRequest(STREAM, role, Duration.ofMinutes(1), "test", _ -> {}));
    }

    /** The overlay stream, or a new encoder of it, starts to send these units when they are due. */
    void overlaySends(List<AccessUnit> units) {
        Publication to = push;
        if (to == null) {
            to = publish(Role.OVERLAY);
            push = to;
        }
        to.begin(Studio.tracks(units));
        overlayUnits.clear();
        overlayUnits.addAll(units);
    }

    /** The overlay's encoder disconnects; unsent units are lost. */
    void overlayGone() {
        Publication open = push;
        push = null;
        overlayUnits.clear();
        if (open != null) {
            open.close();
        }
    }

    /** Sends the main units, each with the overlay units that are due. */
    void play(List<AccessUnit> units) {
        if (sent == 0) {
            main.begin(Studio.tracks(units));
        }
        for (AccessUnit unit : units) {
            long untilNs = startNs + unit.dtsUs() * 1_000 - clock.nanoTime();
            clock.advance(Duration.ofNanos(Math.max(0, untilNs)));
            Publication to = push;
            while (to != null
                    && !overlayUnits.isEmpty()
                    && overlayUnits.element().dtsUs() <= unit.dtsUs()) {
                to.write(overlayUnits.remove());
                to.flush();
            }
            main.write(unit);
            main.flush();
            if (unit.track().isVideo()) {
                sent++;
                awaitFrames(sent - MOST_ON_THE_WAY);
            }
        }
    }

    private synchronized void awaitFrames(long count) {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        try {
            while (units(unit -> unit.track().isVideo()).size() < count) {
                if (System.nanoTime() > deadlineNs) {
                    throw new AssertionError(
                            "no frame %d; dropped %d".formatted(count, counters.dropped()));
                }
                wait(/* timeoutMillis= */ 5);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends the session and waits until the viewer has received everything. */
    void end() throws InterruptedException {
        hub.end(STREAM, EndReason.COMPLETED);
        if (!viewed.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the program did not end");
        }
    }

    synchronized List<AccessUnit> units(Predicate<AccessUnit> wanted) {
        return program.stream().filter(wanted).toList();
    }

    private synchronized void received(FeedItem item) {
        if (item instanceof AccessUnit unit) {
            program.add(unit);
            notifyAll();
        }
    }

    private void view(Subscription viewer) {
        try (viewer) {
            boolean more = true;
            while (more) {
                more = viewer.drain(this::received);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            viewed.countDown();
        }
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

    @Override
    public void close() {
        hub.endAll();
        Compositor running = compositor;
        if (running != null) {
            running.close();
        }
        overlay.close();
    }
}
