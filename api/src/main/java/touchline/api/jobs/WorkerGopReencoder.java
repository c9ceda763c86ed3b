package touchline.api.jobs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import touchline.media.CodecConfig;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.transcode.FrameReencoder;
import touchline.media.worker.UncheckedWorkerException;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerJob;
import touchline.media.worker.WorkerProcess;
import touchline.packager.clip.GopFile;
import touchline.packager.clip.GopReencoder;

/**
 * Encodes the boundary GOPs of a clip in a worker process, through files in the worker's folder.
 * One thread; does not own the process.
 */
final class WorkerGopReencoder implements GopReencoder {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int RATE_DENOMINATOR = 1_000;

    private final WorkerProcess worker;
    private final Path folder;
    private final Optional<H264Encoder> encoder;

    /**
     * @param folder that the worker may write to; the files are removed afterwards
     * @param encoder empty if this host has none that numbers its parameter sets
     */
    WorkerGopReencoder(WorkerProcess worker, Path folder, Optional<H264Encoder> encoder) {
        this.worker = worker;
        this.folder = folder;
        this.encoder = encoder.filter(FrameReencoder::canNumberParameterSets);
    }

    /**
     * {@inheritDoc}
     *
     * @throws UncheckedWorkerException if the worker fails
     */
    @Override
    public Optional<Encoded> encode(Edge edge) throws InterruptedException {
        if (encoder.isEmpty()) {
            return Optional.empty();
        }
        Path group = folder.resolve("group.mp4");
        Path result = folder.resolve("edge.mp4");
        try {
            new GopFile(edge.track(), edge.group()).write(group);
            worker.run(job(edge, encoder.get(), group, result), _ -> {});
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
