package touchline.api.jobs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.media.CodecConfig;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.transcode.FrameReencoder;
import touchline.media.worker.UncheckedWorkerException;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerJob;
import touchline.media.worker.WorkerPool;
import touchline.media.worker.WorkerProcess;
import touchline.packager.clip.GopFile;
import touchline.packager.clip.GopReencoder;

/**
 * Encodes the boundary GOPs of one clip in a worker process, through files in the process's folder.
 * The first GOP leases the worker, since many clips have none. One thread; its creator closes it.
 */
final class WorkerGopReencoder implements GopReencoder, AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int RATE_DENOMINATOR = 1_000;

    private final WorkerPool workers;
    private final Supplier<Optional<H264Encoder>> encoders;
    private Optional<H264Encoder> encoder = Optional.empty();
    private WorkerPool.@Nullable Lease lease;

    /**
     * @param encoders probed for the first GOP; empty if this host has no H.264 encoder
     */
    WorkerGopReencoder(WorkerPool workers, Supplier<Optional<H264Encoder>> encoders) {
        this.workers = workers;
        this.encoders = encoders;
    }

    /**
     * {@inheritDoc}
     *
     * @throws UncheckedWorkerException if the worker fails
     */
    @Override
    public Optional<Encoded> encode(Edge edge) throws InterruptedException {
        WorkerProcess worker = worker();
        if (worker == null) {
            return Optional.empty();
        }
        Path group = worker.folder().resolve("group.mp4");
        Path result = worker.folder().resolve("edge.mp4");
        try {
            new GopFile(edge.track(), edge.group()).write(group);
            worker.run(job(edge, encoder.orElseThrow(), group, result), _ -> {});
            GopFile encoded = GopFile.read(result);
            if (!(encoded.track().codec() instanceof CodecConfig.Avc(var config))) {
                throw new IllegalStateException("encoded as " + encoded.track().codec().rfc6381());
            }
            return Optional.of(new Encoded(config, encoded.units()));
        } catch (IOException e) {
            throw new UncheckedIOException("clip edge: " + e.getMessage(), e);
        } catch (WorkerException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("clip edge");
            }
            throw new UncheckedWorkerException(e);
        } finally {
            delete(group);
            delete(result);
        }
    }

    /** Null without an encoder that numbers its parameter sets: no worker is needed then. */
    private @Nullable WorkerProcess worker() throws InterruptedException {
        if (lease == null) {
            encoder = encoders.get().filter(FrameReencoder::canNumberParameterSets);
            if (encoder.isEmpty()) {
                return null;
            }
            try {
                lease = workers.lease();
            } catch (IOException e) {
                throw new UncheckedIOException("worker: " + e.getMessage(), e);
            }
        }
        return lease.process();
    }

    @Override
    public void close() {
        if (lease != null) {
            lease.close();
        }
    }

    private static WorkerJob job(Edge edge, H264Encoder encoder, Path group, Path result) {
        ObjectNode body =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("group", group.toString())
                        .put("result", result.toString())
                        .put("from", edge.fromPtsTicks())
                        .put("to", edge.toPtsTicks())
                        .put("parameter_set_id", edge.parameterSetId())
                        .put("encoder", encoder.name());
        body.putArray("frame_rate")
                .add(Math.max(1, Math.round(edge.frameRate() * RATE_DENOMINATOR)))
                .add(RATE_DENOMINATOR);
        return new WorkerJob(RecodeHandler.KIND, body, TIMEOUT);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException _) {
            // The next GOP overwrites the file, and the job removes the folder.
        }
    }
}
