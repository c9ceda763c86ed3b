package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.asset.AssetService;
import touchline.api.db.Database;
import touchline.api.db.StorageRepository;
import touchline.api.db.TranscodingRepository;
import touchline.api.domain.TaskState;
import touchline.api.egress.Egress;
import touchline.api.http.EncodingDependencies;
import touchline.api.jobs.Jobs;
import touchline.api.storage.ObjectStorages;
import touchline.api.storage.StorageProbe;
import touchline.api.vod.Transcoding;
import touchline.api.vod.TranscodingDependencies;
import touchline.api.vod.TranscodingLimits;
import touchline.config.LiveConfig;
import touchline.config.ServerConfig;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.transcode.FileEncoding;
import touchline.media.worker.WorkerLimits;
import touchline.media.worker.WorkerPool;

/** Transcoding to the clients' storages. Built and closed with the server. */
final class VodServices implements AutoCloseable {
    private static final int PROCESSORS_PER_PLACE = 8;
    private static final int MAX_THREADS = 16;

    /** Memory for 4K with its queued frames. Live work always has priority. */
    private static final WorkerLimits LIMITS =
            new WorkerLimits(256L << 20, 4_096L << 20, /* niceness= */ 19);

    private final WorkerPool workers;
    private final StorageRepository storages;
    private final TranscodingRepository repository;
    private final Transcoding transcoding;
    private final EncodingDependencies encoding;
    private final int places;

    /**
     * Dependencies; borrowed.
     *
     * @param pauses before each retry of a request
     */
    record Dependencies(
            LiveConfig live,
            Database database,
            SecretBox box,
            AssetService assets,
            Jobs jobs,
            Egress egress,
            ServerIsolation isolation,
            List<Duration> pauses,
            InstantSource clock) {}

    VodServices(Dependencies dependencies, Path dataDir) {
        ServerConfig config = dependencies.live().get();
        Path work = DataFolder.emptyTranscoding(dataDir);
        // Native memory is limited by the process only.
        workers =
                new WorkerPool(
                        dependencies.isolation().launch(work, LIMITS).limitedByProcess(),
                        dependencies.isolation());
        storages =
                new StorageRepository(
                        dependencies.database(), SealedSecrets.ofStorages(dependencies.box()));
        repository = new TranscodingRepository(dependencies.database(), storages);
        ObjectStorages stores =
                new ObjectStorages(dependencies.egress(), config.storage().fileRoot());
        places = places(config.transcoding().atOnce());
        transcoding =
                new Transcoding(
                        new TranscodingDependencies(
                                dependencies.database(),
                                repository,
                                storages,
                                dependencies.assets(),
                                dependencies.egress(),
                                stores,
                                workers,
                                work,
                                () -> encoding(config.encoder().video(), places),
                                () -> limits(dependencies.live().get(), dependencies.pauses()),
                                dependencies.clock()),
                        dependencies.jobs(),
                        places);
        encoding =
                new EncodingDependencies(
                        storages,
                        repository,
                        new StorageProbe(stores, work)::check,
                        transcoding,
                        dependencies.egress().urls()::receiverRefusal);
    }

    private static TranscodingLimits limits(ServerConfig config, List<Duration> pauses) {
        return new TranscodingLimits(
                config.transcoding().maxInputBytes(),
                config.storage().minFreeBytes(),
                config.transcoding().timeout(),
                config.transcoding().timeout(),
                pauses);
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static int places(int configured) {
        return configured > 0 ? configured : Math.max(1, processors() / PROCESSORS_PER_PLACE);
    }

    private static FileEncoding encoding(String configured, int places) {
        EncoderCapabilities capabilities = Ffmpeg.encoders();
        H264Encoder encoder =
                H264Encoder.ofConfig(configured)
                        .or(capabilities::best)
                        .orElseThrow(
                                () -> new IllegalStateException("no H.264 encoder on this host"));
        int threads = Math.clamp(Math.ceilDiv(processors(), places), 1, MAX_THREADS);
        return new FileEncoding(encoder, VideoSettings.Speed.VERYFAST, threads);
    }

    EncodingDependencies encoding() {
        return encoding;
    }

    /** Resumes an earlier server's unfinished tasks. Called before jobs run. */
    void start() {
        storages.resealStale();
        transcoding.start();
    }

    /** Counts for the metrics page. */
    void bind(MeterRegistry registry) {
        Gauge.builder("touchline.transcoding.running", transcoding, Transcoding::running)
                .description("Running transcoding tasks")
                .register(registry);
        Gauge.builder(
                        "touchline.transcoding.queued",
                        repository,
                        tasks -> tasks.count(TaskState.QUEUED))
                .description("Waiting transcoding tasks")
                .register(registry);
        FunctionCounter.builder(
                        "touchline.transcoding.succeeded",
                        transcoding.counters(),
                        counters -> counters.successes())
                .description("Transcoding tasks that succeeded")
                .register(registry);
        FunctionCounter.builder(
                        "touchline.transcoding.failed",
                        transcoding.counters(),
                        counters ->
                                counters.failures().values().stream()
                                        .mapToLong(Long::longValue)
                                        .sum())
                .description("Transcoding tasks that failed or were canceled")
                .register(registry);
        FunctionCounter.builder(
                        "touchline.transcoding.notices.delivered",
                        transcoding.counters(),
                        counters -> counters.deliveredNotices())
                .description("Completion notifications that were acknowledged")
                .register(registry);
        FunctionCounter.builder(
                        "touchline.transcoding.notices.failed",
                        transcoding.counters(),
                        counters -> counters.failedNotices())
                .description("Completion notifications that failed for good")
                .register(registry);
    }

    /** Tasks that run now. */
    int running() {
        return transcoding.running();
    }

    /** Requests that may run at the same time. */
    int places() {
        return places;
    }

    @Override
    public void close() {
        workers.close();
    }
}
