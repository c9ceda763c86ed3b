package touchline.api.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import touchline.packager.clip.GopReencoder;

/**
 * Several worker processes for the boundary GOPs of one clip. Any thread; a call waits for a free
 * process. Its creator closes it when no call runs.
 */
final class WorkerGopReencoders implements GopReencoder, AutoCloseable {
    private final List<WorkerGopReencoder> all = new ArrayList<>();
    private final BlockingQueue<WorkerGopReencoder> free = new LinkedBlockingQueue<>();

    /**
     * @param count 1 or more
     */
    WorkerGopReencoders(Supplier<WorkerGopReencoder> maker, int count) {
        for (int i = 0; i < count; i++) {
            all.add(maker.get());
        }
        free.addAll(all);
    }

    int count() {
        return all.size();
    }

    @Override
    public Optional<Encoded> encode(Edge edge) throws InterruptedException {
        WorkerGopReencoder worker = free.take();
        try {
            return worker.encode(edge);
        } finally {
            free.add(worker);
        }
    }

    @Override
    public void close() {
        all.forEach(WorkerGopReencoder::close);
    }
}
