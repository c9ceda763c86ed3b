package touchline.api.jobs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetService;
import touchline.api.asset.FolderTree;
import touchline.api.asset.Mp4Source;
import touchline.api.asset.Renditions;
import touchline.api.db.AssetRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetState;
import touchline.api.domain.Mp4Support;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerFiles;
import touchline.media.worker.WorkerJob;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerPool;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.record.FolderSync;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;

/**
 * Makes the MP4 of an asset with frames above 1080p, or of several formats, each in a durable job
 * and a worker process. It writes into a folder inside the asset's folder, which is renamed when it
 * is complete. An interrupted job starts again. A final failure is stored in the folder and not
 * tried again.
 *
 * <p>Any thread.
 */
public final class ScaledMp4 implements Renditions {
    private static final Logger log = LoggerFactory.getLogger(ScaledMp4.class);
    private static final String KIND = "rendition";
    private static final String UNFINISHED = FOLDER + ".tmp";
    private static final Duration TIMEOUT = Duration.ofHours(24);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int MAX_TRIES = 4;
    private static final int MAX_THREADS = 4;

    private final Dependencies dependencies;
    private final JobQueue queue;

    /** Submitted by this process already, so that requests of viewers need no database. */
    private final Set<AssetId> given = ConcurrentHashMap.newKeySet();

    /** Of the jobs that run. */
    private final Map<AssetId, Progress> progress = new ConcurrentHashMap<>();

    /**
     * @param begun when the encoding began
     * @param fraction of it that is done, 0 to 1
     */
    private record Progress(Instant begun, double fraction) {}

    /**
     * All borrowed.
     *
     * @param encoders of this host, best first: a worker may fail with one that works in this
     *     process
     * @param leastFreeBytes a job starts with this and the source's size free
     */
    public record Dependencies(
            AssetService assets,
            AssetRepository repository,
            WorkerPool workers,
            Supplier<List<H264Encoder>> encoders,
            LongSupplier leastFreeBytes,
            InstantSource clock) {}

    /**
     * @param places jobs that run at once
     */
    public ScaledMp4(Dependencies dependencies, Jobs jobs, int places) {
        this.dependencies = dependencies;
        this.queue = jobs.openLocal(KIND, places, this::run);
    }

    @Override
    public void request(AssetId asset) {
        if (given.add(asset)) {
            Thread.ofVirtual().name("rendition-" + asset).start(() -> give(asset));
        }
    }

    private void give(AssetId asset) {
        try {
            boolean _ = queue.submitAt(dependencies.repository().homeOf(asset), asset.value(), "");
        } catch (RuntimeException e) {
            given.remove(asset);
            log.warn("asset={} scaled MP4 not submitted: {}", asset, e.getMessage());
        }
    }

    @Override
    public void cancel(AssetId asset) {
        if (given.remove(asset)) {
            Thread.ofVirtual().name("rendition-" + asset).start(() -> queue.cancel(asset.value()));
        }
    }

    /** The rest takes as long as the same share did before. */
    @Override
    public OptionalLong secondsLeft(AssetId asset) {
        Progress known = progress.get(asset);
        if (known == null || known.fraction() <= 0) {
            return OptionalLong.empty();
        }
        Duration spent = Duration.between(known.begun(), dependencies.clock().instant());
        double left = (1 - known.fraction()) / known.fraction();
        return OptionalLong.of((long) Math.ceil(spent.toMillis() / 1_000.0 * left));
    }

    private JobOutcome run(JobRun run) throws InterruptedException, IOException {
        AssetId id = new AssetId(run.id());
        try {
            dependencies.assets().files().ensureHead(id);
            return attempted(id, run);
        } catch (NoSuchFileException _) {
            return JobOutcome.DONE;
        } catch (MediaAwayException e) {
            log.warn("asset={} scaled MP4 waits for its source: {}", id, e.getMessage());
            return new JobOutcome.Continue(dependencies.clock().instant().plus(PAUSE), "");
        }
    }

    private JobOutcome attempted(AssetId id, JobRun run) throws InterruptedException, IOException {
        given.add(id);
        Optional<Asset> asset = dependencies.repository().find(id);
        Path folder = dependencies.assets().folders().of(id);
        if (asset.isEmpty() || !asset.get().isPlayable() || !isMissing(asset.get(), folder)) {
            return JobOutcome.DONE;
        }
        FolderTree.remove(folder.resolve(UNFINISHED));
        if (run.failures() >= MAX_TRIES) {
            return refused(folder, "it could not be made in " + MAX_TRIES + " tries");
        }
        try {
            if (!Mp4Source.isEncoded(asset.get(), Recording.load(folder), folder)) {
                return JobOutcome.DONE;
            }
        } catch (MalformedMediaException e) {
            return refused(folder, String.valueOf(e.getMessage()));
        }
        dependencies.assets().bringBack(id);
        List<H264Encoder> encoders = dependencies.encoders().get();
        if (encoders.isEmpty()) {
            return refused(folder, "this server has no H.264 encoder");
        }
        long wanted = dependencies.leastFreeBytes().getAsLong() + asset.get().state().sizeBytes();
        if (dependencies.assets().folders().freeBytes() < wanted) {
            log.warn("asset={} scaled MP4 waits for disk space", id);
            return new JobOutcome.Continue(dependencies.clock().instant().plus(PAUSE), "");
        }
        int next = Math.min(run.failures(), encoders.size() - 1);
        return made(asset.get(), folder, encoders.get(next));
    }

    private static boolean isMissing(Asset asset, Path folder) {
        return asset.labels().mp4Support() != Mp4Support.NONE
                && !asset.state().live()
                && Files.exists(folder.resolve(Recording.INDEX))
                && !Files.exists(folder.resolve(FOLDER))
                && !Files.exists(folder.resolve(REFUSED));
    }

    private JobOutcome made(Asset asset, Path folder, H264Encoder encoder)
            throws InterruptedException, IOException {
        try {
            encode(asset, folder, encoder);
            finish(asset, folder);
            return JobOutcome.DONE;
        } catch (WorkerException e) {
            return failed(asset, folder, e);
        } catch (MalformedMediaException e) {
            return refused(folder, String.valueOf(e.getMessage()));
        } finally {
            progress.remove(asset.id());
            FolderTree.remove(folder.resolve(UNFINISHED));
        }
    }

    /** Afterwards the worker has ended, so that it cannot change its result any more. */
    private void encode(Asset asset, Path folder, H264Encoder encoder)
            throws IOException, WorkerException {
        Path result = Files.createDirectories(folder.resolve(UNFINISHED));
        try (WorkerPool.Lease worker =
                dependencies.workers().lease(new WorkerFiles(List.of(folder), List.of(result)))) {
            Instant begun = dependencies.clock().instant();
            worker.process()
                    .run(
                            job(asset, folder, encoder),
                            fraction -> progress.put(asset.id(), new Progress(begun, fraction)));
        }
    }

    private static WorkerJob job(Asset asset, Path folder, H264Encoder encoder) throws IOException {
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, MAX_THREADS);
        ObjectNode body =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("source", folder.toString())
                        .put("result", folder.resolve(UNFINISHED).toString())
                        .put("shorter_side", MAX_SHORTER_SIDE)
                        .put("one_format", Mp4Source.needsOneFormat(asset, Recording.load(folder)))
                        .put("encoder", encoder.name())
                        .put("threads", threads);
        return new WorkerJob(ScaleHandler.KIND, body, TIMEOUT);
    }

    private void finish(Asset asset, Path folder) throws IOException {
        StoredMp4 _ = StoredMp4.open(folder.resolve(UNFINISHED));
        Files.move(
                folder.resolve(UNFINISHED), folder.resolve(FOLDER), StandardCopyOption.ATOMIC_MOVE);
        FolderSync.force(folder);
        AssetState before = asset.state();
        boolean stays =
                dependencies
                        .assets()
                        .update(
                                asset.with(
                                        new AssetState(
                                                before.status(),
                                                before.live(),
                                                before.durationUs(),
                                                dependencies
                                                        .assets()
                                                        .folders()
                                                        .sizeBytes(asset.id()),
                                                before.progress(),
                                                before.errors(),
                                                before.finishedAt())));
        if (!stays) {
            FolderTree.remove(folder);
        }
        dependencies.assets().files().changed(asset.id());
        log.info("asset={} scaled MP4 made", asset.id());
    }

    private JobOutcome failed(Asset asset, Path folder, WorkerException failure)
            throws InterruptedException, IOException {
        if (failure.failure() instanceof WorkerException.Failure.Canceled) {
            throw new InterruptedException("rendition");
        }
        if (dependencies.repository().find(asset.id()).isEmpty()) {
            FolderTree.remove(folder);
            return JobOutcome.DONE;
        }
        log.warn("asset={} scaled MP4 not made: {}", asset.id(), failure.getMessage());
        return failure.failure() instanceof WorkerException.Failure.Reported(int code, var message)
                        && code == WorkerJobException.INVALID_INPUT
                ? refused(folder, message)
                : new JobOutcome.Retry(dependencies.clock().instant().plus(PAUSE));
    }

    private static JobOutcome refused(Path folder, String why) throws IOException {
        if (Files.isDirectory(folder)) {
            Files.writeString(folder.resolve(REFUSED), why + "\n");
        }
        return JobOutcome.DONE;
    }
}
