package touchline.benchmarks.caches;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several viewers at the same time, a virtual thread each. Stateless. */
final class Together {
    private Together() {}

    /** What a viewer does. */
    @FunctionalInterface
    interface Viewer {
        /**
         * @param number of the viewer, from 0 on
         */
        void run(int number) throws Exception;
    }

    /** Returns when all have ended, and throws what the first failed one threw. */
    static void run(int viewers, Viewer viewer) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < viewers; i++) {
                int number = i;
                all.add(
                        threads.submit(
                                () -> {
                                    viewer.run(number);
                                    return number;
                                }));
            }
            for (Future<Integer> one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
