package touchline.benchmarks.delivery;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.ProcessUsage;

/**
 * CPU time of a server's running streams without viewers, to subtract from that with viewers.
 *
 * @param cpuSecondsPerSecond the least of some windows, since the JVM may compile in the others
 */
record BaseLoad(double cpuSecondsPerSecond) {
    /** Nothing to subtract. */
    static final BaseLoad NONE = new BaseLoad(0);

    private static final int WINDOWS = 5;
    private static final long WINDOW_MS = 2000;

    /** Measures a server without viewers. */
    static BaseLoad of(ProcessHandle server) throws IOException, InterruptedException {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < WINDOWS; i++) {
            double before = ProcessUsage.of(server).cpuSeconds();
            long startNs = System.nanoTime();
            TimeUnit.MILLISECONDS.sleep(WINDOW_MS);
            double spent = ProcessUsage.of(server).cpuSeconds() - before;
            least = Math.min(least, spent / ((System.nanoTime() - startNs) / 1e9));
        }
        return new BaseLoad(least);
    }

    /** CPU seconds in a time. */
    double in(double seconds) {
        return cpuSecondsPerSecond * seconds;
    }
}
