package touchline.benchmarks.micro;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.SessionId;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier;
import touchline.media.hub.Subscription;
import touchline.packager.hls.HlsPackager;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.LiveWindow;

/**
 * The cost of publishing a part in latency mode low, beside its media: the playlist of a window of
 * 60 s and its delta update, both plain and gzip, and a fragment of five small frames.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 3)
@Measurement(iterations = 5, time = 3)
public class PlaylistBenchmark {
    private static final int FRAMES_PER_SECOND = 20;
    private static final int TICKS = 90_000 / FRAMES_PER_SECOND;
    private static final int SECONDS = 180;
    private static final int PARTS = SECONDS * 4;
    private static final long MAX_BYTES = 64L << 20;

    private static final Track VIDEO =
            new Track(
                    Track.VIDEO_ID,
                    Timescale.VIDEO,
                    new CodecConfig.Avc(
                            new AvcConfig(
                                    MemorySegment.ofArray(new byte[] {1, 0x64, 0, 0x1f}),
                                    1280,
                                    720,
                                    4,
                                    FRAMES_PER_SECOND,
                                    "avc1.64001f")));

    private final List<AccessUnit> units = new ArrayList<>();

    @Setup
    public void makeUnits() {
        for (int i = 0; i < SECONDS * FRAMES_PER_SECOND; i++) {
            boolean key = i % (2 * FRAMES_PER_SECOND) == 0;
            MemorySegment payload = MemorySegment.ofArray(new byte[16]);
            units.add(new AccessUnit(VIDEO, (long) i * TICKS, 0, key, payload));
        }
    }

    /** Publishes three minutes of media; the result is the time per part. */
    @Benchmark
    @OperationsPerInvocation(PARTS)
    public long part() {
        Feed feed = new Feed();
        Subscription subscription = feed.subscribe("benchmark", MAX_BYTES);
        feed.offer(new Timeline(0, List.of(VIDEO), 0, Instant.EPOCH));
        units.forEach(feed::offer);
        feed.end();
        LiveWindow.Settings settings =
                new LiveWindow.Settings(
                        new SessionId("ses"),
                        LatencyProfile.low(Duration.ofMillis(250)),
                        Duration.ofSeconds(60),
                        /* firstMediaSequence= */ 1_000,
                        /* recorded= */ false,
                        /* composited= */ false);
        LiveWindow window = new LiveWindow(settings, new HeapMemory());
        new HlsPackager(subscription, new HeapMemory(), window, List.of(), PublishBarrier.OPEN)
                .run();
        long next = window.nextMediaSequence();
        window.close();
        return next;
    }
}
