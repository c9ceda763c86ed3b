package touchline.api.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetLeases;
import touchline.api.asset.AssetService;
import touchline.api.asset.ClipJobs;
import touchline.api.asset.FolderTree;
import touchline.api.asset.Renditions;
import touchline.api.db.AssetRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.domain.Mp4Support;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.worker.UncheckedWorkerException;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerPool;
import touchline.packager.clip.ClipCutter;
import touchline.packager.clip.EmptyRangeException;
import touchline.packager.clip.GopReencoder;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;
import touchline.packager.record.StoredPlayback;

/**
 * Cuts clips, each in a durable job. It reads the source's files and writes the clip's folder. An
 * interrupted job starts again from the beginning. A worker process encodes frames. At the end a
 * clip is playable, errored with the reason, or deleted.
 *
 * <p>Any thread.
 */
public final class ClipCutting implements ClipJobs {
    private static final Logger log = LoggerFactory.getLogger(ClipCutting.class);
    private static final String KIND = "clip";
    private static final int MAX_TRIES = 4;
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final AssetService assets;
    private final AssetRepository repository;
    private final WorkerPool workers;
    private final Supplier<Optional<H264Encoder>> encoder;
    private final InstantSource clock;
    private final JobQueue queue;

    /**
     * All borrowed.
     *
     * @param encoder for frames at the boundaries, called for each clip, on its thread
     */
    public record Dependencies(
            AssetService assets,
            AssetRepository repository,
            WorkerPool workers,
            Supplier<Optional<H264Encoder>> encoder,
            InstantSource clock) {}

    /**
     * @param places clips that are cut at once
     */
    public ClipCutting(Dependencies dependencies, Jobs jobs, int places) {
        this.assets = dependencies.assets();
        this.repository = dependencies.repository();
        this.workers = dependencies.workers();
        this.encoder = dependencies.encoder();
        this.clock = dependencies.clock();
        this.queue = jobs.open(KIND, places, this::run);
    }

    /** Submits clips without a stored job again. Called at the start. */
    public void start() {
        repository.clipsToCut().forEach(this::submit);
    }

    @Override
    public void submit(Asset clip) {
        boolean _ = queue.submit(clip.id().value(), "");
    }

    private JobOutcome run(JobRun run) throws InterruptedException, IOException {
        AssetId id = new AssetId(run.id());
        Optional<Asset> clip = repository.find(id);
        if (clip.isEmpty()
                || clip.get().state().status() != AssetStatus.PREPARING
                || !(clip.get().origin() instanceof AssetOrigin.Cut cut)) {
            return JobOutcome.DONE;
        }
        if (run.failures() >= MAX_TRIES) {
            fail(clip.get(), AssetError.NOT_CUT, "it could not be cut in  " + MAX_TRIES + " tries");
            return JobOutcome.DONE;
        }
        Path source = assets.folders().of(cut.source());
        try (AssetLeases.Use _ = assets.uses().begin(cut.source())) {
            finish(clip.get(), made(clip.get(), cut, source));
        } catch (EmptyRangeException _) {
            log.info("asset={} is empty", id);
            fail(
                    clip.get(),
                    AssetError.EMPTY_RANGE,
                    "its source shows nothing from start_time to end_time");
        } catch (MalformedMediaException e) {
            log.warn("asset={} cannot be cut: {}", id, e.getMessage());
            fail(clip.get(), AssetError.UNREADABLE, "its source: " + e.getMessage());
        } catch (ClosedByInterruptException _) {
            throw new InterruptedException("clip");
        } catch (UncheckedWorkerException | UncheckedIOException | IOException e) {
            return failed(clip.get(), source, e);
        }
        return JobOutcome.DONE;
    }

    /** A failure that may pass is tried again. */
    private JobOutcome failed(Asset clip, Path source, Exception failure) throws IOException {
        if (!Files.exists(source.resolve(Recording.INDEX))) {
            fail(clip, AssetError.SOURCE_DELETED, "its source is not there any more");
            return JobOutcome.DONE;
        }
        log.warn("asset={} is not cut: {}", clip.id(), failure.toString());
        if (failure.getCause() instanceof WorkerException worker
                && worker.failure() instanceof WorkerException.Failure.Reported(int code, var why)
                && code == WorkerJobException.INVALID_INPUT) {
            fail(clip, AssetError.UNREADABLE, "its source: " + why);
            return JobOutcome.DONE;
        }
        return new JobOutcome.Retry(clock.instant().plus(PAUSE));
    }

    private ClipCutter.Cut made(Asset clip, AssetOrigin.Cut cut, Path source)
            throws IOException, InterruptedException {
        Path folder = assets.folders().of(clip.id());
        // Remains of an interrupted try.
        FolderTree.remove(folder);
        Progress progress = new Progress(clip);
        try (WorkerGopReencoder edges = new WorkerGopReencoder(workers, encoder)) {
            return new ClipCutter(edge -> progress.behind(edges.encode(edge)))
                    .cut(
                            Recording.load(source),
                            source,
                            new ClipCutter.Range(cut.startUs(), cut.endUs()),
                            folder);
        }
    }

    private void finish(Asset clip, ClipCutter.Cut cut) throws IOException {
        Path folder = assets.folders().of(clip.id());
        boolean isAboveCap =
                StoredPlayback.shorterSide(cut.recording(), folder) > Renditions.MAX_SHORTER_SIDE;
        boolean hasMp4 = clip.labels().mp4Support() != Mp4Support.NONE;
        if (hasMp4 && !isAboveCap) {
            // So the first download does not wait for it.
            StoredMp4 _ = StoredMp4.open(folder);
        }
        List<AssetError> notes =
                cut.exact()
                        ? List.of()
                        : List.of(
                                new AssetError(
                                        AssetError.CUT_AT_KEY_FRAME,
                                        "it starts with the key frame before its start: this server"
                                                + " cannot encode frames of its source"));
        AssetState state =
                AssetState.finished(
                        cut.recording().durationUs(),
                        assets.folders().sizeBytes(clip.id()),
                        notes,
                        clock.instant());
        store(clip, state);
        if (hasMp4 && isAboveCap) {
            assets.wantScaledMp4(clip.id());
        }
        log.info("asset={} cut: {} ms", clip.id(), state.durationUs() / 1_000);
    }

    private void fail(Asset clip, String type, String message) throws IOException {
        FolderTree.remove(assets.folders().of(clip.id()));
        store(clip, AssetState.failed(List.of(new AssetError(type, message)), clock.instant()));
    }

    private void store(Asset clip, AssetState state) throws IOException {
        if (!assets.update(clip.with(state))) {
            // Deleted while it was cut: the remover does not know the files that were written
            // since.
            FolderTree.remove(assets.folders().of(clip.id()));
        }
    }

    /** Stores the clip's progress: half of the rest after each boundary. */
    private final class Progress {
        private final Asset clip;
        private double fraction;

        Progress(Asset clip) {
            this.clip = clip;
        }

        Optional<GopReencoder.Encoded> behind(Optional<GopReencoder.Encoded> encoded) {
            fraction += (1 - fraction) / 2;
            AssetState before = clip.state();
            boolean _ =
                    assets.update(
                            clip.with(
                                    new AssetState(
                                            before.status(),
                                            before.live(),
                                            before.durationUs(),
                                            before.sizeBytes(),
                                            OptionalDouble.of(fraction),
                                            before.errors(),
                                            before.finishedAt())));
            return encoded;
        }
    }
}
