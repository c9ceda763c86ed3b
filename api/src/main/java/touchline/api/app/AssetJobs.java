package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetService;
import touchline.api.asset.ClipJobs;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.jobs.ClipCutting;
import touchline.api.jobs.Jobs;
import touchline.api.jobs.ReadyClipWorker;
import touchline.api.jobs.ScaledMp4;
import touchline.api.view.AssetView;
import touchline.config.LiveConfig;
import touchline.config.ServerConfig;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.transcode.FrameReencoder;
import touchline.media.worker.WorkerIsolation;
import touchline.media.worker.WorkerLimits;
import touchline.media.worker.WorkerPool;

/** Background work on assets: clips and scaled MP4s. Built and closed with the server. */
final class AssetJobs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AssetJobs.class);

    private static final Duration PROBE_END = Duration.ofSeconds(5);

    /**
     * A user waits for a clip, and its few frames take a second or two. On a host whose processors
     * are all busy they get three times as much time as with the niceness of long jobs, and a third
     * of what live streams get.
     */
    private static final WorkerLimits CLIP_LIMITS =
            new WorkerLimits(
                    WorkerLimits.DEFAULTS.heapBytes(),
                    WorkerLimits.DEFAULTS.dataBytes(),
                    /* niceness= */ 5);

    /**
     * Clips are made one after the other, by hand: the next one finds the processes of the last.
     */
    private static final Duration CLIP_PAUSE = Duration.ofMinutes(5);

    private final ServerIsolation isolation;
    private final WorkerPool workers;
    private final WorkerPool clipWorkers;
    private final ClipCutting clips;
    private final ReadyClipWorker readyClipWorker;

    /** Volatile: set by the probing thread. */
    private volatile @Nullable EncoderCapabilities tested;

    private final Thread probe =
            Thread.ofPlatform().daemon().name("encoder-probe").unstarted(this::probe);

    AssetJobs(
            LiveConfig live,
            Database database,
            AssetService assets,
            Jobs jobs,
            ServerIsolation isolation) {
        ServerConfig config = live.get();
        this.isolation = isolation;
        workers = new WorkerPool(isolation.launch(WorkerLimits.DEFAULTS), isolation);
        clipWorkers =
                new WorkerPool(
                        isolation.launch(CLIP_LIMITS),
                        isolation,
                        new WorkerPool.Idle(ClipCutting.workers(), CLIP_PAUSE));
        Supplier<Optional<H264Encoder>> clipEncoder = () -> clipEncoder(config.encoder().video());
        readyClipWorker = new ReadyClipWorker(assets, clipWorkers, clipEncoder);
        AssetRepository repository = new AssetRepository(database, AssetView::of);
        clips =
                new ClipCutting(
                        new ClipCutting.Dependencies(
                                assets,
                                database,
                                clipWorkers,
                                clipEncoder,
                                () -> live.get().storage().minFreeBytes(),
                                Clock.systemUTC()),
                        jobs,
                        config.jobs().clips());
        assets.playbackIds()
                .makeScaledBy(
                        new ScaledMp4(
                                new ScaledMp4.Dependencies(
                                        assets,
                                        repository,
                                        workers,
                                        () -> encoders(config.encoder().video()),
                                        () -> live.get().storage().minFreeBytes(),
                                        Clock.systemUTC()),
                                jobs,
                                config.jobs().renditions()));
    }

    /** Resumes an earlier server's unfinished work. Called before jobs run. */
    void start() {
        clips.start();
        readyClipWorker.start();
    }

    /** Registers the metrics. */
    void bind(MeterRegistry registry) {
        Gauge.builder("touchline.clips.processes", clipWorkers, WorkerPool::processes)
                .description("Running processes that encode edges of clips")
                .register(registry);
        Gauge.builder("touchline.clips.processes.idle", clipWorkers, each -> each.idlePids().size())
                .description("Those of them that wait for a clip")
                .register(registry);
        FunctionCounter.builder(
                        "touchline.clips.processes.started", clipWorkers, WorkerPool::started)
                .description("Processes of clips started")
                .register(registry);
        FunctionCounter.builder(
                        "touchline.clips.processes.crashed", clipWorkers, WorkerPool::crashed)
                .description("Processes of clips that crashed, ran out of memory or were killed")
                .register(registry);
    }

    /** Processes that wait for a clip. */
    List<Long> idleClipWorkers() {
        return clipWorkers.idlePids();
    }

    /**
     * Tests encoders and workers in the background, so that the first clip does not wait for it.
     * Called when the server is ready: the test takes a core for half a second.
     */
    void probeSoon() {
        probe.start();
    }

    private void probe() {
        try {
            EncoderCapabilities found = Ffmpeg.encoders();
            tested = found;
            log.debug("encoders: {}", found.usable());
            WorkerIsolation _ = isolation.get();
        } catch (RuntimeException | LinkageError e) {
            if (!Thread.currentThread().isInterrupted()) {
                log.warn("cannot test the encoders and workers: {}", e.toString());
            }
        }
    }

    /** The encoders of this host; empty until they are tested, about a second after the start. */
    Optional<EncoderCapabilities> testedEncoders() {
        return Optional.ofNullable(tested);
    }

    ClipJobs clips() {
        return clips;
    }

    @Override
    public void close() {
        endProbe();
        clipWorkers.close();
        workers.close();
    }

    /** It has processes, and folders among the data. */
    private void endProbe() {
        if (probe.getState() == Thread.State.NEW) {
            return;
        }
        probe.interrupt();
        try {
            if (!probe.join(PROBE_END)) {
                log.warn("the test of encoders and workers does not end");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The configured encoder first, if usable, then the others. */
    private static List<H264Encoder> encoders(String configured) {
        EncoderCapabilities here = Ffmpeg.encoders();
        List<H264Encoder> all = new ArrayList<>(here.usable());
        H264Encoder.ofConfig(configured)
                .filter(all::remove)
                .ifPresent(wanted -> all.addFirst(wanted));
        return all;
    }

    /**
     * The encoder for a clip's boundary GOPs: the best one that can number its parameter sets. If
     * the configuration names an encoder, only that one.
     */
    private static Optional<H264Encoder> clipEncoder(String configured) {
        EncoderCapabilities here = Ffmpeg.encoders();
        if (configured.equals(H264Encoder.OPENH264.configName())) {
            return Optional.empty();
        }
        return here.usable().stream().filter(FrameReencoder::canNumberParameterSets).findFirst();
    }
}
