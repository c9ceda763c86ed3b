package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import touchline.benchmarks.load.ProcessUsage;

/**
 * A run of wrk, and its cost at the server.
 *
 * @param serverSeconds user and system time, without that of the streams themselves
 */
record WrkTurn(Wrk wrk, double serverSeconds) {
    static WrkTurn run(ProcessHandle server, BaseLoad base, URI address, int seconds)
            throws IOException, InterruptedException {
        double before = ProcessUsage.of(server).cpuSeconds();
        long startNs = System.nanoTime();
        Wrk wrk = Wrk.run(address, seconds);
        double tookSeconds = (System.nanoTime() - startNs) / 1e9;
        double spent = ProcessUsage.of(server).cpuSeconds() - before;
        return new WrkTurn(wrk, spent - base.in(tookSeconds));
    }

    double requestsPerCpuSecond() {
        return wrk.requests() / serverSeconds;
    }

    /** CPU time of server and wrk for a request. */
    double bothUs() {
        return (serverSeconds + wrk.cpuSeconds()) * 1e6 / wrk.requests();
    }
}
