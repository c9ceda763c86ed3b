package touchline.benchmarks.hostile;

import java.io.IOException;
import java.time.Duration;

/**
 * One kind of attack. Each of its threads makes one attempt after the other until the end of the
 * run.
 *
 * @param threads attempts at the same time
 * @param pause of a thread between two attempts
 */
record Attack(String name, int threads, Duration pause, Attempt attempt) {
    /** One attempt. Blocks until the server has ended it, or for as long as it lasts. */
    @FunctionalInterface
    interface Attempt {
        /**
         * @param index counts the attempts of all threads
         * @return how it ended, in a few words
         * @throws IOException the connection ended
         */
        String make(int index) throws IOException, InterruptedException;
    }

    static Attack of(String name, int threads, long pauseMs, Attempt attempt) {
        return new Attack(name, threads, Duration.ofMillis(pauseMs), attempt);
    }
}
