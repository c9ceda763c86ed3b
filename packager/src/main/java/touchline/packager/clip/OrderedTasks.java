package touchline.packager.clip;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs tasks a few at a time and returns their results in order. What waits is as little as runs at
 * once: a result may be large. One thread, which closes it; tasks run on virtual threads.
 */
final class OrderedTasks<T> implements AutoCloseable {
    private final int atOnce;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("clip-range-", 0).factory());
    private final Deque<Callable<T>> waiting = new ArrayDeque<>();
    private final Deque<Future<T>> begun = new ArrayDeque<>();

    /**
     * @param atOnce tasks that run at the same time; with 0 each runs when its result is requested
     */
    OrderedTasks(int atOnce) {
        this.atOnce = atOnce;
    }

    void add(Callable<T> task) {
        waiting.add(task);
    }

    /**
     * The next result.
     *
     * @throws InterruptedException when this thread is interrupted; {@link #close} ends the tasks
     */
    T next() throws IOException, InterruptedException {
        while (!waiting.isEmpty() && begun.size() < Math.max(1, atOnce)) {
            begun.add(threads.submit(waiting.remove()));
        }
        try {
            T result = begun.remove().get();
            if (atOnce > 0 && !waiting.isEmpty()) {
                begun.add(threads.submit(waiting.remove()));
            }
            return result;
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case InterruptedException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    /** Ends tasks that run, and waits for them. */
    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }
}
