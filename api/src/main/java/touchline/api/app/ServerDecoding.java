package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import touchline.config.MediaConfig;
import touchline.config.MediaConfig.Isolated;
import touchline.config.PlaybackConfig;
import touchline.media.SessionId;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.decoding.DecodingPool;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.DecoderMemory;
import touchline.media.signal.SignalCounters;
import touchline.media.signal.SignalWatch;
import touchline.media.worker.WorkerLaunch;
import touchline.media.worker.WorkerLimits;
import touchline.packager.thumbnail.Thumbnails;

/**
 * The server's decoders of single frames: in its own process or in child processes, as configured.
 * Built and closed with the server.
 */
final class ServerDecoding implements AutoCloseable {
    private static final int THUMBNAIL_CHILDREN = 2;

    /** Media goes first, yet a busy host has thumbnails too: at 10 it had none for a minute. */
    private static final int THUMBNAIL_NICENESS = 4;

    private static final int MAX_SAMPLE_CHILDREN = 8;
    private static final long HEAP_BYTES = 96L << 20;

    /** The largest decoder needs 1.9 GiB. */
    private static final long DATA_BYTES = 2_560L << 20;

    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Duration THUMBNAIL_DEADLINE = Duration.ofSeconds(8);
    private static final Duration SAMPLE_DEADLINE = Duration.ofSeconds(10);

    private final Optional<DecodingPool> thumbnails;
    private final Optional<DecodingPool> samples;
    private final SignalWatch signals;

    ServerDecoding(MediaConfig config, ServerIsolation isolation) {
        DecoderMemory.limit(
                config.decoderMemoryBytes() > 0
                        ? config.decoderMemoryBytes()
                        : DecoderMemory.halfOfMachine());
        thumbnails =
                config.isolated() == Isolated.OFF
                        ? Optional.empty()
                        : Optional.of(
                                new DecodingPool(
                                        launch(isolation, THUMBNAIL_NICENESS),
                                        isolation,
                                        new DecodingPool.Settings(
                                                THUMBNAIL_CHILDREN, THUMBNAIL_DEADLINE, IDLE)));
        samples =
                config.isolated() == Isolated.ALL
                        ? Optional.of(
                                new DecodingPool(
                                        launch(isolation, /* niceness= */ 0),
                                        isolation,
                                        new DecodingPool.Settings(
                                                sampleChildren(), SAMPLE_DEADLINE, IDLE)))
                        : Optional.empty();
        signals = new SignalWatch(samples(), new SignalCounters(), Clock.systemUTC());
    }

    private static int sampleChildren() {
        return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_SAMPLE_CHILDREN);
    }

    /** Native memory is limited by the process only. */
    private static WorkerLaunch launch(ServerIsolation isolation, int niceness) {
        WorkerLimits limits = new WorkerLimits(HEAP_BYTES, DATA_BYTES, niceness);
        return isolation.launch(limits).limitedByProcess();
    }

    /**
     * Returns a maker of thumbnails; the caller closes it.
     *
     * @param onRefused called when the video of a session demands too much; must not block
     */
    Thumbnails thumbnails(
            PlaybackConfig config, BiConsumer<SessionId, DecodingRefusedException> onRefused) {
        return Thumbnails.of(
                config.thumbnailCpuPercent(),
                config.thumbnailCacheBytes(),
                thumbnails.<GopDecoders>map(pool -> pool).orElse(GopDecoders.LOCAL),
                onRefused);
    }

    /** For the moderation of streams without a compositor, and for the watch of signals. */
    GopDecoders samples() {
        return samples.<GopDecoders>map(pool -> pool).orElse(GopDecoders.LOCAL);
    }

    /** Watches the signals of sessions. Their video is decoded like samples of moderation. */
    SignalWatch signals() {
        return signals;
    }

    /** Registers the metrics. */
    void bind(MeterRegistry registry) {
        SignalMeters.bind(registry, signals.counters());
        Gauge.builder("touchline.decoders.memory.bytes", DecoderMemory::usedBytes)
                .description("Memory that open video decoders may use")
                .register(registry);
        Gauge.builder("touchline.decoders.memory.limit.bytes", DecoderMemory::limitBytes)
                .description("Maximum of this memory: media.decoder-memory")
                .register(registry);
        FunctionCounter.builder("touchline.decoders.refused", this, _ -> DecoderMemory.refused())
                .description("Decoders refused because of this maximum")
                .register(registry);
        Gauge.builder("touchline.decoders.processes", this, each -> each.sum(ServerDecoding::alive))
                .description("Running decoding processes")
                .register(registry);
        counter(
                registry,
                "touchline.decoders.processes.started",
                "Decoding processes started",
                DecodingPool::started);
        counter(
                registry,
                "touchline.decoders.processes.crashed",
                "Decoding processes that crashed, ran out of memory or time, or were killed",
                DecodingPool::crashed);
    }

    private void counter(
            MeterRegistry registry,
            String name,
            String description,
            ToDoubleFunction<DecodingPool> value) {
        FunctionCounter.builder(name, this, each -> each.sum(value))
                .description(description)
                .register(registry);
    }

    private static double alive(DecodingPool pool) {
        return pool.pids().count();
    }

    private double sum(ToDoubleFunction<DecodingPool> value) {
        return thumbnails.stream().mapToDouble(value).sum()
                + samples.stream().mapToDouble(value).sum();
    }

    @Override
    public void close() {
        signals.close();
        thumbnails.ifPresent(DecodingPool::close);
        samples.ifPresent(DecodingPool::close);
    }
}
