package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.ProcessUsage;

/**
 * One run of wrk: one thread, 64 kept-alive connections, no pause between requests.
 *
 * @param requests number of answers
 * @param seconds duration of the run
 * @param p99Ms 99th percentile of the answer time
 * @param errors answers other than 2xx, and sockets that failed
 * @param cpuSeconds user and system time of wrk
 */
record Wrk(long requests, double seconds, double p99Ms, long errors, double cpuSeconds) {
    static final int CONNECTIONS = 64;

    private static final Pattern REQUESTS =
            Pattern.compile("(\\d+) requests in ([0-9.]+)(ms|s|m),");
    private static final Pattern P99 = Pattern.compile("99%\\s+([0-9.]+)(us|ms|s)");
    private static final Pattern NOT_2XX = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
    private static final Pattern SOCKETS =
            Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout");

    static Wrk run(URI address, int seconds) throws IOException, InterruptedException {
        double before = ProcessUsage.endedChildrenCpuSeconds();
        List<String> command =
                Command.words("wrk -t1 -c%d -d%ds --latency %s", CONNECTIONS, seconds, address);
        String output = Command.require(command).text();
        return parse(output, ProcessUsage.endedChildrenCpuSeconds() - before);
    }

    static Wrk parse(String output, double cpuSeconds) throws IOException {
        Matcher requests = found(REQUESTS, output);
        Matcher p99 = found(P99, output);
        long errors = 0;
        Matcher not2xx = NOT_2XX.matcher(output);
        if (not2xx.find()) {
            errors += Long.parseLong(not2xx.group(1));
        }
        Matcher sockets = SOCKETS.matcher(output);
        if (sockets.find()) {
            for (int i = 1; i <= sockets.groupCount(); i++) {
                errors += Long.parseLong(sockets.group(i));
            }
        }
        return new Wrk(
                Long.parseLong(requests.group(1)),
                ms(requests.group(2), requests.group(3)) / 1000,
                ms(p99.group(1), p99.group(2)),
                errors,
                cpuSeconds);
    }

    private static Matcher found(Pattern pattern, String output) throws IOException {
        Matcher matcher = pattern.matcher(output);
        if (!matcher.find()) {
            throw new IOException("output of wrk (expected: " + pattern + "): " + output);
        }
        return matcher;
    }

    private static double ms(String number, String unit) {
        double value = Double.parseDouble(number);
        return switch (unit) {
            case "us" -> value / 1000;
            case "ms" -> value;
            case "s" -> value * 1000;
            case "m" -> value * 60_000;
            default -> throw new IllegalArgumentException("unit in the output of wrk: " + unit);
        };
    }
}
