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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetMarkers;
import touchline.api.asset.AssetService;
import touchline.api.asset.ClipJobs;
import touchline.api.asset.FolderTree;
import touchline.api.asset.Mp4Source;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.db.MarkerRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.domain.Mp4Support;
import touchline.api.view.AssetView;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.worker.UncheckedWorkerException;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerPool;
import touchline.packager.clip.ClipCutter;
import touchline.packager.clip.EmptyRangeException;
import touchline.packager.clip.MixedMediaException;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;

/**
 * Cuts clips, each in a durable job. It reads the sources' files and writes the clip's folder. An
 * interrupted job starts again from the beginning. A worker process encodes frames. At the end a
 * clip is playable, errored with the reason, or deleted.
 *
 * <p>Any thread.
 */
public final class ClipCutting implements ClipJobs {
    private static final Logger log = LoggerFactory.getLogger(ClipCutting.class);
    private static final String KIND = "clip";
    private static final int MAX_TRIES = 4;

    /** Processes that encode the edges of one clip. */
    private static final int MAX_WORKERS = 4;

    /** Of one range. */
    private static final int EDGES = 2;

    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration SPACE_PAUSE = Duration.ofMinutes(1);

    private final AssetService assets;
    private final AssetRepository repository;
    private final MarkerRepository markers;
    private final WorkerPool workers;
    private final Supplier<Optional<H264Encoder>> encoder;
    private final LongSupplier leastFreeBytes;
    private final InstantSource clock;
    private final JobQueue queue;

    /**
     * All borrowed.
     *
     * @param encoder for frames at the boundaries, called for each clip
     * @param leastFreeBytes a clip of several ranges is cut with this and its size free
     */
    public record Dependencies(
            AssetService assets,
            Database database,
            WorkerPool workers,
            Supplier<Optional<H264Encoder>> encoder,
            LongSupplier leastFreeBytes,
            InstantSource clock) {}

    /**
     * @param places clips that are cut at once
     */
    public ClipCutting(Dependencies dependencies, Jobs jobs, int places) {
        this.assets = dependencies.assets();
        this.repository = new AssetRepository(dependencies.database(), AssetView::of);
        this.markers = new MarkerRepository(dependencies.database());
        this.workers = dependencies.workers();
        this.encoder = dependencies.encoder();
        this.leastFreeBytes = dependencies.leastFreeBytes();
        this.clock = dependencies.clock();
        this.queue = jobs.openLocal(KIND, places, this::run);
    }

    /** Processes that one clip uses at most. */
    public static int workers() {
        return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_WORKERS);
    }

    /** Submits clips without a stored job again. Called at the start. */
    public void start() {
        repository.clipsToCut().forEach(this::submit);
    }

    @Override
    public void submit(Asset clip) {
        boolean _ = queue.submitAt(repository.homeOf(clip.id()), clip.id().value(), "");
    }

    private JobOutcome run(JobRun run) throws InterruptedException, IOException {
        AssetId id = new AssetId(run.id());
        Optional<Asset> found = repository.find(id);
        if (found.isEmpty()
                || found.get().state().status() != AssetStatus.PREPARING
                || found.get().origin().ranges().isEmpty()) {
            return JobOutcome.DONE;
        }
        Asset clip = found.get();
        if (run.failures() >= MAX_TRIES) {
            fail(clip, AssetError.NOT_CUT, "it could not be cut in " + MAX_TRIES + " tries");
            return JobOutcome.DONE;
        }
        ClipProgress progress = new ClipProgress(clip, assets);
        try (ClipSources sources = ClipSources.begin(clip, assets)) {
            List<ClipCutter.Part> parts = sources.parts(progress);
            if (!hasSpace(parts)) {
                log.warn("asset={} waits for disk space", id);
                return new JobOutcome.Continue(clock.instant().plus(SPACE_PAUSE), "");
            }
            finish(clip, made(parts, progress));
        } catch (EmptyRangeException _) {
            log.info("asset={} is empty", id);
            fail(
                    clip,
                    AssetError.EMPTY_RANGE,
                    progress.source() + " shows nothing from start_time to end_time");
        } catch (MixedMediaException e) {
            fail(
                    clip,
                    AssetError.MIXED_MEDIA,
                    "ranges[%d] has video and ranges[0] has none, or the reverse"
                            .formatted(e.range()));
        } catch (MalformedMediaException e) {
            log.warn("asset={} cannot be cut: {}", id, e.getMessage());
            fail(clip, AssetError.UNREADABLE, progress.source() + ": " + e.getMessage());
        } catch (ClipProgress.DeletedException _) {
            log.info("asset={} was deleted while it was cut", id);
            FolderTree.remove(assets.folders().of(id));
        } catch (MediaAwayException e) {
            log.warn("asset={} waits for its source: {}", id, e.getMessage());
            return new JobOutcome.Continue(clock.instant().plus(SPACE_PAUSE), "");
        } catch (ClosedByInterruptException _) {
            throw new InterruptedException("clip");
        } catch (UncheckedWorkerException | UncheckedIOException | IOException e) {
            return failed(clip, progress, e);
        }
        return JobOutcome.DONE;
    }

    /** A failure that may pass is tried again. */
    private JobOutcome failed(Asset clip, ClipProgress progress, Exception failure)
            throws IOException {
        Path source = assets.folders().of(progress.range().source());
        if (!Files.exists(source.resolve(Recording.INDEX))) {
            fail(clip, AssetError.SOURCE_DELETED, progress.source() + " is not there any more");
            return JobOutcome.DONE;
        }
        log.warn("asset={} is not cut: {}", clip.id(), failure.toString());
        if (failure.getCause() instanceof WorkerException worker
                && worker.failure() instanceof WorkerException.Failure.Reported(int code, var why)
                && code == WorkerJobException.INVALID_INPUT) {
            fail(clip, AssetError.UNREADABLE, progress.source() + ": " + why);
            return JobOutcome.DONE;
        }
        return new JobOutcome.Retry(clock.instant().plus(PAUSE));
    }

    /** Ranges behind the first are copied. */
    private boolean hasSpace(List<ClipCutter.Part> parts) throws IOException {
        return parts.size() == 1
                || assets.folders().freeBytes()
                        >= leastFreeBytes.getAsLong() + ClipSources.copiedBytes(parts);
    }

    private ClipCutter.Cut made(List<ClipCutter.Part> parts, ClipProgress progress)
            throws IOException, InterruptedException {
        Path folder = assets.folders().of(progress.clip());
        // Remains of an interrupted try.
        FolderTree.remove(folder);
        try (WorkerGopReencoders edges =
                new WorkerGopReencoders(
                        () -> new WorkerGopReencoder(workers, encoder), places(parts.size()))) {
            return new ClipCutter(edge -> progress.behind(edges.encode(edge)), edges.count())
                    .join(parts, folder, progress);
        }
    }

    /**
     * Processes for the edges of a clip. Those of one range are encoded at once where two processes
     * wait for it: a start takes longer than an edge.
     */
    private int places(int ranges) {
        return ranges == 1
                ? Math.clamp(workers.idlePids().size(), 1, EDGES)
                : Math.min(workers(), ranges);
    }

    private void finish(Asset clip, ClipCutter.Cut cut) throws IOException {
        Path folder = assets.folders().of(clip.id());
        boolean isEncoded = Mp4Source.isEncoded(clip, cut.recording(), folder);
        boolean hasMp4 = clip.labels().mp4Support() != Mp4Support.NONE;
        if (hasMp4 && !isEncoded) {
            // So the first download does not wait for it.
            StoredMp4 _ = StoredMp4.open(folder);
        }
        List<AssetError> notes =
                cut.exact()
                        ? List.of()
                        : List.of(
                                new AssetError(
                                        AssetError.CUT_AT_KEY_FRAME,
                                        (cut.places().size() > 1 ? "a range starts" : "it starts")
                                                + " with the key frame before its start: this"
                                                + " server cannot encode frames of its source"));
        AssetState state =
                AssetState.finished(
                        cut.recording().durationUs(),
                        assets.folders().sizeBytes(clip.id()),
                        notes,
                        clock.instant());
        store(clip, state, cut.places());
        if (hasMp4 && isEncoded) {
            assets.wantScaledMp4(clip.id());
        }
        log.info("asset={} cut: {} ms", clip.id(), state.durationUs() / 1_000);
    }

    private void fail(Asset clip, String type, String message) throws IOException {
        FolderTree.remove(assets.folders().of(clip.id()));
        store(clip, AssetState.failed(List.of(new AssetError(type, message)), clock.instant()));
    }

    private void store(Asset clip, AssetState state) throws IOException {
        store(clip, state, List.of());
    }

    /**
     * @param places of the ranges that the clip shows
     */
    private void store(Asset clip, AssetState state, List<ClipCutter.Place> places)
            throws IOException {
        boolean stays =
                assets.update(
                        clip.with(state),
                        () -> {
                            if (clip.origin() instanceof AssetOrigin.Joined joined
                                    && !places.isEmpty()) {
                                AssetMarkers.place(markers, clip, joined, places);
                            }
                        });
        if (!stays) {
            // Deleted while it was cut: the remover does not know the files that were written
            // since.
            FolderTree.remove(assets.folders().of(clip.id()));
        }
    }
}
