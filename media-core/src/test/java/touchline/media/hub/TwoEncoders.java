package touchline.media.hub;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.SessionId;
import touchline.media.Track;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

/**
 * Two encoders of one programme in virtual time: each with its own clock, delay and key frames.
 * What viewers get is seen by the numbers of the frames and of the audio units.
 */
final class TwoEncoders implements LiveStreams.Listener {
    static final int FRAME_RATE = 30;
    private static final long STEP_MS = 5;
    private static final int PROGRAMME_S = 300;

    /** One encoder. Times of the programme start at 0 with the clock of the test. */
    final class Encoder {
        private final PublishSource source;
        private final List<AccessUnit> programme;
        private final long delayMs;
        private @Nullable Publication publication;
        private long startMs;
        private long clockMs;
        private int next;
        boolean stalled;

        /** Gets each unit before the server does. */
        Consumer<AccessUnit> sending = _ -> {};

        private Encoder(PublishSource source, List<AccessUnit> programme, long delayMs) {
            this.source = source;
            this.delayMs = delayMs;
            this.programme = programme;
        }

        /** Connects; what it sends from now on starts at that time of its clock. */
        Encoder connect(long encoderMs) {
            var request =
                    new PublishRequest(
                            Hub.STREAM,
                            Role.MAIN,
                            source,
                            settings,
                            Hub.WINDOW,
                            source.wireName(),
                            reason -> cuts.add(source.wireName() + " " + reason));
            Publication connected = streams.publish(request);
            publication = connected;
            startMs = Math.max(0, nowMs() - delayMs);
            clockMs = encoderMs;
            stalled = false;
            next = 0;
            while (programme.get(next).dtsUs() < startMs * 1_000) {
                next++;
            }
            while (!programme.get(next).isKeyFrame()) {
                next++;
            }
            connected.begin(tracks());
            return this;
        }

        void disconnect() {
            if (publication != null) {
                publication.close();
                publication = null;
            }
        }

        private List<Track> tracks() {
            return SyntheticStream.standard().tracks();
        }

        Publication publication() {
            return Objects.requireNonNull(publication);
        }

        void send() {
            Publication to = publication;
            while (to != null
                    && !stalled
                    && programme.get(next).dtsUs() / 1_000 + delayMs <= nowMs()) {
                AccessUnit unit = stamped(programme.get(next++));
                sending.accept(unit);
                to.write(unit);
            }
            if (to != null) {
                to.flush();
            }
        }

        /** As RTMP does: in milliseconds. */
        private AccessUnit stamped(AccessUnit unit) {
            long moveMs = clockMs - startMs;
            long dtsMs = Math.round(unit.dtsUs() / 1e3) + moveMs;
            long ptsMs = Math.round(unit.ptsUs() / 1e3) + moveMs;
            long dts = unit.track().timescale().fromUs(dtsMs * 1_000);
            long pts = unit.track().timescale().fromUs(ptsMs * 1_000);
            return unit.at(unit.track(), dts, (int) (pts - dts));
        }

        /** Time of its clock less that of the programme. */
        private long lagMs() {
            return clockMs - startMs;
        }
    }

    final SettableClock clock = new SettableClock();
    final List<String> events = new ArrayList<>();
    final List<SourceChange> changes = new ArrayList<>();
    final List<String> cuts = new ArrayList<>();
    final LiveStreams streams =
            new LiveStreams(
                    this::instant,
                    clock::nanoTime,
                    clock.timer(),
                    this,
                    new FailoverDependencies(this::open, this::encode));
    final Encoder primary;
    final Encoder backup;
    final Map<PublishSource, Encoder> encoders = new EnumMap<>(PublishSource.class);
    FailoverSettings settings = FailoverSettings.DEFAULTS;

    /** Whether there is an encoder. */
    boolean encodes;

    /** Whether the comparison of the audio knows the lag. */
    boolean aligned = true;

    /** Runs once, when a publication has selected itself and has written nothing. */
    private Runnable selecting = () -> {};

    private final Map<ByteBuffer, Long> numbers = new HashMap<>();
    private final List<FeedItem> items = new ArrayList<>();
    private @Nullable Subscription subscription;

    /**
     * @param backupDelayMs by which the backup's content arrives later than the primary's
     */
    TwoEncoders(int bFrames, long backupDelayMs) {
        this(bFrames, backupDelayMs, /* backupAudioTicks= */ 0);
    }

    /**
     * @param backupAudioTicks by which the backup's audio units begin later in the programme, in
     *     1/48 000 s
     */
    TwoEncoders(int bFrames, long backupDelayMs, int backupAudioTicks) {
        this(bFrames, bFrames, backupDelayMs, backupAudioTicks);
    }

    /**
     * @param backupBFrames B-frames of the backup
     */
    TwoEncoders(int bFrames, int backupBFrames, long backupDelayMs, int backupAudioTicks) {
        long least = Math.min(0, backupDelayMs);
        primary = new Encoder(PublishSource.PRIMARY, programme(60, bFrames, 0), -least);
        backup =
                new Encoder(
                        PublishSource.BACKUP,
                        programme(47, backupBFrames, backupAudioTicks),
                        backupDelayMs - least);
        encoders.put(PublishSource.PRIMARY, primary);
        encoders.put(PublishSource.BACKUP, backup);
    }

    private Instant instant() {
        Runnable once = selecting;
        selecting = () -> {};
        once.run();
        return clock.instant();
    }

    /** While the next publication writes what it holds, another one does this. */
    void whileSelecting(Runnable once) {
        selecting = once;
    }

    private List<AccessUnit> programme(int gopFrames, int bFrames, int audioTicks) {
        SyntheticStream video =
                new SyntheticStream(
                        FRAME_RATE, gopFrames, bFrames, PROGRAMME_S, true, false, gopFrames);
        List<AccessUnit> units = new ArrayList<>();
        long delayTicks = bFrames > 0 ? 3_000 : 0;
        for (AccessUnit unit : video.units()) {
            numbers.put(ShownProgramme.key(unit), (unit.ptsTicks() - delayTicks) / 3_000);
            // The frame with number 0 is presented at 0.
            units.add(
                    unit.at(
                            unit.track(),
                            unit.dtsTicks() - delayTicks,
                            unit.compositionTimeOffsetTicks()));
        }
        for (long i = 0; i < PROGRAMME_S * 48_000L / 1024; i++) {
            MemorySegment payload =
                    MemorySegment.ofArray(ByteBuffer.allocate(9).putLong(i).array());
            var unit =
                    new AccessUnit(
                            SyntheticStream.AUDIO_TRACK, i * 1024 + audioTicks, 0, true, payload);
            numbers.put(ShownProgramme.key(unit), i);
            units.add(unit);
        }
        units.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        return units;
    }

    private CompletableFuture<BoundaryEncoder.Frames> encode(BoundaryEncoder.Request request) {
        return (encodes ? new CopyingEncoder() : BoundaryEncoder.NONE).encode(request);
    }

    private SourceAlignment open(SessionId session, LongSupplier byArrivalUs) {
        return new SourceAlignment() {
            @Override
            public void audio(PublishSource from, AccessUnit unit) {}

            private Optional<Lag> known = Optional.empty();

            @Override
            public void restart(PublishSource source) {
                known = Optional.empty();
            }

            @Override
            public Optional<Lag> newest() {
                if (aligned && primary.publication != null && backup.publication != null) {
                    long lagMs = backup.lagMs() - primary.lagMs();
                    known = Optional.of(new Lag(lagMs * 1_000, 0.9, 0));
                }
                return aligned ? known : Optional.empty();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void sessionStarted(LiveStream live) {
        events.add("started");
        subscription = live.program().subscribe("test", 64L << 20);
    }

    @Override
    public void publisherConnected(LiveStream live) {
        events.add("connected");
    }

    @Override
    public void publisherDisconnected(LiveStream live) {
        events.add("disconnected");
    }

    @Override
    public void sourceChanged(LiveStream live, SourceChange change) {
        events.add("source " + change.to().wireName() + " " + change.reason().wireName());
        changes.add(change);
    }

    @Override
    public void ingestWarning(LiveStream live, IngestReport.Warning warning) {
        events.add("warning " + warning.code());
    }

    @Override
    public void sessionEnded(LiveStream live, EndReason reason) {
        events.add("ended " + reason);
    }

    long nowMs() {
        return clock.nanoTime() / 1_000_000;
    }

    LiveStream live() {
        return streams.active(Hub.STREAM, Role.MAIN).orElseThrow();
    }

    SourceStatus sources() {
        return live().failover().map(Failover::status).orElse(SourceStatus.PRIMARY_ONLY);
    }

    boolean choose(Optional<PublishSource> source) {
        return live().failover().orElseThrow().choose(source);
    }

    /** Time passes, and both encoders send. */
    void run(double seconds) throws InterruptedException {
        for (long ms = 0; ms < seconds * 1_000; ms += STEP_MS) {
            clock.advance(Duration.ofMillis(STEP_MS));
            primary.send();
            backup.send();
            Subscription readable = subscription;
            if (readable != null && readable.fullness() > 0) {
                readable.drain(items::add);
            }
        }
    }

    /** Everything that was written. */
    List<FeedItem> items() {
        return items;
    }

    /** What viewers get of everything that was written. */
    ShownProgramme shown() {
        return new ShownProgramme(items, numbers);
    }

    List<Long> shownFrames() {
        return shown().shownFrames();
    }

    List<Long> decodedFrames() {
        return shown().decodedFrames();
    }

    List<Long> heardAudio() {
        return shown().heardAudio();
    }

    long mostAudioGapUs() {
        return shown().mostAudioGapUs();
    }
}
