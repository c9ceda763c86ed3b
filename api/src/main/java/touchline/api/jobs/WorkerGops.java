package touchline.api.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.worker.WorkerPool;
import touchline.packager.clip.GopReencoder;

/**
 * Encodes the boundary GOPs of one clip. The first GOP takes a worker, since many clips have none.
 * One thread; its creator closes it.
 */
final class WorkerGops implements GopReencoder, AutoCloseable {
    private final WorkerPool workers;
    private final Path folder;
    private final Supplier<Optional<H264Encoder>> encoder;
    private WorkerPool.@Nullable Lease lease;
    private @Nullable GopReencoder delegate;

    WorkerGops(WorkerPool workers, Path folder, Supplier<Optional<H264Encoder>> encoder) {
        this.workers = workers;
        this.folder = folder;
        this.encoder = encoder;
    }

    @Override
    public Optional<Encoded> encode(Edge edge) throws InterruptedException {
        GopReencoder edges = delegate;
        if (edges == null) {
            Optional<H264Encoder> found = encoder.get();
            if (found.isEmpty()) {
                return Optional.empty();
            }
            try {
                WorkerPool.Lease taken = workers.lease();
                lease = taken;
                edges = new WorkerGopReencoder(taken.process(), folder, found);
                delegate = edges;
            } catch (IOException e) {
                throw new UncheckedIOException("worker: " + e.getMessage(), e);
            }
        }
        return edges.encode(edge);
    }

    @Override
    public void close() {
        if (lease != null) {
            lease.close();
        }
    }
}
