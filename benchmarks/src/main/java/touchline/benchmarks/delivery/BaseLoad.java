package touchline.benchmarks.delivery;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.ProcessUsage;

/**
 * What a server's running streams cost by themselves, to be taken off what viewers cost.
 *
 * @param cpuSecondsPerSecond the least of some windows: in the others the JVM was still compiling,
 *     which must not be counted in the server's favour
 */
record BaseLoad(double cpuSecondsPerSecond) {
    /** Of a server without streams, or where nothing is to be taken off. */
    static final BaseLoad NONE = new BaseLoad(0);

    private static final int WINDOWS = 5;
    private static final long WINDOW_MS = 2000;

    /** Nobody watches while it is measured. */
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

    /** In so many seconds. */
    double in(double seconds) {
        return cpuSecondsPerSecond * seconds;
    }
}
