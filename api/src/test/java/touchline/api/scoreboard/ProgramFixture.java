package touchline.api.scoreboard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.StreamKeys;
import touchline.api.audit.PaintedByHand;
import touchline.api.db.Database;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.StreamRepository;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.domain.WatermarkSettings;
import touchline.api.events.StreamEvents;
import touchline.config.EncoderConfig;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Track;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.media.hub.Subscription;
import touchline.overlay.CompositorCounters;
import touchline.testing.SettableClock;

/** A session program with all it needs; the publisher never runs ahead of what is seen. */
final class ProgramFixture implements AutoCloseable, LiveStreams.Listener {
    private static final long PATIENCE_NS = 60_000_000_000L;

    /** Longer than an answer takes on a busy machine; a page that hangs is waited for as long. */
    private static final Duration PAGES_ANSWER = Duration.ofSeconds(4);

    private static final FrameFormat FORMAT = new FrameFormat(320, 240, Colour.BT601);

    final PaintedByHand pages = new PaintedByHand();

    final SettableClock clock = new SettableClock();
    private final LiveStreams hub =
            new LiveStreams(clock, clock::nanoTime, clock.timer(), /* listener= */ this);
    private final Database database;
    private final StreamRepository streams;
    private final OverlayDependencies dependencies;
    private final StreamDefinition stream;
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final VideoEncoder encoder;
    private @Nullable Publication publication;
    private @Nullable SessionProgram program;
    private int sent;

    @GuardedBy("this")
    private final List<AccessUnit> seen = new ArrayList<>();

    ProgramFixture(Path folder, int maxCompositors) {
        database = MemoryDatabase.open();
        streams =
                new StreamRepository(
                        database,
                        new StreamKeys(new SecretBox(MasterKeys.load(Optional.empty(), folder))));
        dependencies =
                new OverlayDependencies(
                        pages,
                        new EncoderConfig("auto", 0, "veryfast", 1, "software", 0),
                        new CompositorCounters(),
                        OverlayDependencies.slots(maxCompositors),
                        database,
                        streams,
                        new StreamEvents(database, URI.create("rtmp://127.0.0.1/live")),
                        clock,
                        // No frame is late, however slow the machine is.
                        new OverlayDependencies.Timing(clock::nanoTime, PAGES_ANSWER));
        database.outbox().listen((event, _) -> events.add(event.type().wireName()));
        stream =
                new StreamDefinition(
                        StreamDefinition.newId(),
                        StreamDefinition.DEFAULT_ACCOUNT,
                        StreamKeys.create(),
                        StreamSettings.DEFAULTS,
                        /* disabled= */ false,
                        List.of(PlaybackId.create(PlaybackPolicy.PUBLIC)),
                        Optional.empty(),
                        Optional.empty(),
                        Instant.parse("2026-11-20T12:00:00Z"));
        streams.create(stream);
        H264Encoder best =
                Ffmpeg.encoders().canUse(H264Encoder.X264)
                        ? H264Encoder.X264
                        : H264Encoder.OPENH264;
        encoder =
                VideoEncoder.open(
                        VideoSettings.live(FORMAT, FrameRate.of(25), best)
                                .with(new VideoSettings.Gop(10, 0)));
    }

    @Override
    public void sessionStarted(LiveStream live) {
        program = new SessionProgram(live, dependencies, Optional::empty);
    }

    /** The first media of a session of a stream with this scoreboard. */
    SessionProgram start(Optional<WatermarkSettings> watermark) throws InterruptedException {
        store(watermark);
        Publication opened =
                hub.publish(
                        new PublishRequest(
                                stream.id(), Role.MAIN, Duration.ofMinutes(1), "test", _ -> {}));
        publication = opened;
        opened.begin(List.of(encoder.track()));
        encode(opened);
        SessionProgram started = program;
        if (started == null) {
            throw new AssertionError("no session");
        }
        started.open(streams.find(stream.id()).orElseThrow(), 2_000_000);
        Subscription viewer = started.media();
        Thread.ofPlatform().name("viewer").start(() -> view(viewer));
        await(() -> seenFrames() == sent, "the first frame");
        return started;
    }

    void store(Optional<WatermarkSettings> watermark) {
        watermark.ifPresentOrElse(
                settings -> streams.putWatermark(stream.id(), settings),
                () -> streams.deleteWatermark(stream.id()));
    }

    /** Sends frames until so many more have been seen; those of {@link #start} count. */
    void publish(int frames) throws InterruptedException {
        Publication to = publication;
        if (to == null) {
            throw new AssertionError("not started");
        }
        int wanted = sent == 1 ? frames : sent + frames;
        while (sent < wanted) {
            encode(to);
            await(() -> seenFrames() >= sent, sent + " frames");
        }
    }

    private void encode(Publication to) {
        try (VideoFrame frame = VideoFrame.allocate(FORMAT)) {
            frame.planes().forEach(plane -> plane.samples().fill((byte) 100));
            frame.ptsTicks(3_600L * sent);
            sent++;
            encoder.encode(frame, /* forceKeyFrame= */ false).forEach(to::write);
            to.flush();
        }
    }

    void end() throws InterruptedException {
        hub.end(stream.id(), EndReason.COMPLETED);
        await(() -> program().compositor().isEmpty(), "the compositor's end");
    }

    private SessionProgram program() {
        SessionProgram running = program;
        if (running == null) {
            throw new AssertionError("no session");
        }
        return running;
    }

    Track sentTrack() {
        return encoder.track();
    }

    synchronized int seenFrames() {
        return seen.size();
    }

    synchronized List<Track> seenTracks() {
        return seen.stream().map(AccessUnit::track).distinct().toList();
    }

    List<String> events() {
        return List.copyOf(events);
    }

    Semaphore slots() {
        return dependencies.slots();
    }

    private void view(Subscription viewer) {
        try (viewer) {
            while (viewer.drain(this::came)) {
                // All of it is kept.
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void came(FeedItem item) {
        if (item instanceof AccessUnit unit) {
            seen.add(unit);
            notifyAll();
        }
    }

    private synchronized void await(BooleanSupplier condition, String what)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError(
                        "not in time: %s; sent=%d seen=%d events=%s"
                                .formatted(what, sent, seen.size(), events));
            }
            wait(/* timeoutMillis= */ 5);
        }
    }

    @Override
    public void close() {
        hub.endAll();
        SessionProgram running = program;
        if (running != null) {
            running.close();
        }
        encoder.close();
        database.close();
    }
}
