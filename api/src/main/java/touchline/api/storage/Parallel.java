package touchline.api.storage;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Runs steps side by side, each on a virtual thread. The first failure ends all. Stateless. */
public final class Parallel {
    private Parallel() {}

    /** Work that blocks. */
    @FunctionalInterface
    public interface Step {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Returns when all have ended.
     *
     * @throws IOException the first failure
     */
    public static void run(int atOnce, List<Step> steps) throws IOException, InterruptedException {
        Semaphore places = new Semaphore(atOnce);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ExecutorCompletionService<Boolean> ended = new ExecutorCompletionService<>(threads);
            for (Step step : steps) {
                ended.submit(
                        () -> {
                            places.acquire();
                            try {
                                step.run();
                                return true;
                            } finally {
                                places.release();
                            }
                        });
            }
            try {
                for (int i = 0; i < steps.size(); i++) {
                    ended.take().get();
                }
            } catch (ExecutionException e) {
                threads.shutdownNow();
                throw failure(e);
            } catch (InterruptedException e) {
                threads.shutdownNow();
                throw e;
            }
        }
    }

    private static IOException failure(ExecutionException failure) {
        return switch (failure.getCause()) {
            case IOException known -> known;
            case RuntimeException bug -> throw bug;
            case Error fatal -> throw fatal;
            case null, default -> new IOException("interrupted", failure);
        };
    }
}
