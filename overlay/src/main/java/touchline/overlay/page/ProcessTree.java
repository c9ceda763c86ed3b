package touchline.overlay.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Memory and CPU time of a browser's processes, from Linux (proc(5)). Any thread. */
final class ProcessTree {
    private static final Path PROC = Path.of("/proc");

    /** USER_HZ, the same on every Linux that Java runs on (proc(5), utime). */
    private static final int TICKS_PER_SECOND = 100;

    /** Index in {@code stat} after the name in parentheses; the state is 0. */
    private static final int UTIME = 11;

    private static final int STIME = 12;

    /**
     * One measurement of a process.
     *
     * @param showsPages whether pages run in this process
     * @param memoryBytes private memory, without pages mapped from files
     * @param cpuNs used since its start
     */
    record Sample(long pid, boolean showsPages, long memoryBytes, long cpuNs) {}

    private ProcessTree() {}

    /** This process and all descendants; a process that ends meanwhile is omitted. */
    static List<Sample> of(ProcessHandle root) {
        List<Sample> samples = new ArrayList<>();
        try (Stream<ProcessHandle> below = root.descendants()) {
            Stream.concat(Stream.of(root), below)
                    .forEach(each -> sample(each.pid()).ifPresent(samples::add));
        }
        return samples;
    }

    private static Optional<Sample> sample(long pid) {
        Path folder = PROC.resolve(String.valueOf(pid));
        try {
            String command =
                    Files.readString(folder.resolve("cmdline"), StandardCharsets.ISO_8859_1);
            return Optional.of(
                    new Sample(
                            pid,
                            command.contains("--type=renderer"),
                            memoryBytes(Files.readAllLines(folder.resolve("status"))),
                            cpuNs(Files.readString(folder.resolve("stat")))));
        } catch (IOException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static long memoryBytes(List<String> status) {
        long kibibytes = 0;
        for (String line : status) {
            if (line.startsWith("RssAnon:") || line.startsWith("RssShmem:")) {
                kibibytes += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return kibibytes << 10;
    }

    private static long cpuNs(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME]);
        return ticks * (1_000_000_000L / TICKS_PER_SECOND);
    }
}
