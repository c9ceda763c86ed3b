package touchline.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls that begin at the same moment, to see what they do to each other. */
public final class AtOnce {
    private AtOnce() {}

    /**
     * Returns their results in the given order, when all have ended.
     *
     * @throws java.util.concurrent.ExecutionException if one has failed
     */
    public static <T> List<T> run(List<Callable<T>> calls) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        List<Future<T>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Callable<T> call : calls) {
                running.add(
                        threads.submit(
                                () -> {
                                    int _ = start.await();
                                    return call.call();
                                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : running) {
                results.add(each.get());
            }
            return results;
        }
    }
}
