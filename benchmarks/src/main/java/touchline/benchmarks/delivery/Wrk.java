package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.benchmarks.load.ProcessUsage;

/**
 * One run of wrk: one thread, 64 kept-alive connections that ask without a pause.
 *
 * @param requests answered
 * @param seconds it took
 * @param p99Ms 99 % of the answers took no longer
 * @param errors answers other than 2xx, and sockets that failed
 * @param cpuSeconds its own user and system time
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
        Process process =
                new ProcessBuilder(
                                "wrk",
                                "-t1",
                                "-c" + CONNECTIONS,
                                "-d" + seconds + "s",
                                "--latency",
                                address.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException("wrk exited with " + code + ": " + said);
        }
        return parse(said, ProcessUsage.endedChildrenCpuSeconds() - before);
    }

    static Wrk parse(String said, double cpuSeconds) throws IOException {
        Matcher requests = found(REQUESTS, said);
        Matcher p99 = found(P99, said);
        long errors = 0;
        Matcher not2xx = NOT_2XX.matcher(said);
        if (not2xx.find()) {
            errors += Long.parseLong(not2xx.group(1));
        }
        Matcher sockets = SOCKETS.matcher(said);
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

    private static Matcher found(Pattern pattern, String said) throws IOException {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) {
            throw new IOException("wrk said nothing like " + pattern + ": " + said);
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
            default -> throw new IllegalArgumentException("wrk's unit: " + unit);
        };
    }
}
