package touchline.benchmarks.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * CPU time and memory of a process and its descendants, from /proc (proc(5)).
 *
 * @param cpuSeconds user and system time, with that of ended children
 * @param residentBytes resident set, shared pages counted in each process
 */
public record ProcessUsage(double cpuSeconds, long residentBytes) {
    /** USER_HZ: 100 on every Linux the JVM runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final long PAGE_BYTES = 4096;
    private static final int UTIME = 11;
    private static final int STIME = 12;
    private static final int CUTIME = 13;
    private static final int CSTIME = 14;
    private static final int RSS = 21;

    public static ProcessUsage of(ProcessHandle process) throws IOException {
        double cpuSeconds = 0;
        long residentBytes = 0;
        for (ProcessHandle each :
                Stream.concat(Stream.of(process), process.descendants()).toList()) {
            try {
                String[] fields = fields(each);
                // utime, stime, and the same of children that have ended: cutime, cstime.
                for (int i = UTIME; i <= CSTIME; i++) {
                    cpuSeconds += Long.parseLong(fields[i]) / TICKS_PER_SECOND;
                }
                residentBytes += Long.parseLong(fields[RSS]) * PAGE_BYTES;
            } catch (NoSuchFileException _) {
                // The process ended after it was listed.
            }
        }
        return new ProcessUsage(cpuSeconds, residentBytes);
    }

    /** User and system time of a process without its children. */
    public static double ownCpuSeconds(ProcessHandle process) throws IOException {
        String[] fields = fields(process);
        return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) / TICKS_PER_SECOND;
    }

    /** User and system time of all children of this process that have ended. */
    public static double endedChildrenCpuSeconds() throws IOException {
        String[] fields = fields(ProcessHandle.current());
        return (Long.parseLong(fields[CUTIME]) + Long.parseLong(fields[CSTIME])) / TICKS_PER_SECOND;
    }

    /** Fields of proc_pid_stat(5), from the state on. */
    private static String[] fields(ProcessHandle process) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    }

    /** CPU time of those threads of a process whose names start with a prefix. */
    public static double threadsCpuSeconds(ProcessHandle process, String prefix)
            throws IOException {
        double cpuSeconds = 0;
        try (DirectoryStream<Path> tasks =
                Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path task : tasks) {
                try {
                    if (Files.readString(task.resolve("comm")).startsWith(prefix)) {
                        String[] fields =
                                Files.readString(task.resolve("schedstat")).split(" ", -1);
                        cpuSeconds += Long.parseLong(fields[0]) / 1e9;
                    }
                } catch (NoSuchFileException _) {
                    // The thread ended after it was listed.
                }
            }
        }
        return cpuSeconds;
    }
}
