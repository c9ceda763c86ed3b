package touchline.benchmarks.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;

/**
 * What the server's process holds, from /proc and by jcmd.
 *
 * @param residentMib RSS without its child processes
 * @param childrenMib RSS of browser and workers
 * @param heapMib used heap
 * @param committedMib the whole heap
 * @param metaspaceMib of classes
 * @param codeMib compiled methods
 * @param mappedMib files in memory, such as libraries; part of the RSS, as all figures of the JVM
 * @param files open files and sockets
 * @param inodes files of the data folder
 */
public record ServerFigures(
        double residentMib,
        double childrenMib,
        double heapMib,
        double committedMib,
        double metaspaceMib,
        double codeMib,
        double mappedMib,
        long files,
        long threads,
        long inodes) {
    private static final double MIB = 1 << 20;
    private static final Pattern USED = Pattern.compile("heap.* used (\\d+)K");
    private static final Pattern COMMITTED = Pattern.compile("heap.* committed (\\d+)K");
    private static final Pattern METASPACE = Pattern.compile("Metaspace .*?committed (\\d+)K");
    private static final Pattern CODE = Pattern.compile("CodeCache:.* used=(\\d+)Kb, max_used");
    private static final Pattern MAPPED = Pattern.compile("RssFile:\\s+(\\d+) kB");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    /** As it is now. */
    public static ServerFigures of(ProcessHandle server, Path data)
            throws IOException, InterruptedException {
        Path proc = Path.of("/proc/" + server.pid());
        String status = Files.readString(proc.resolve("status"));
        double resident = number(RESIDENT, status) / 1024;
        double all = ProcessUsage.of(server).residentBytes() / MIB;
        String heap = jcmd(server, "GC.heap_info");
        return new ServerFigures(
                resident,
                Math.max(0, all - resident),
                number(USED, heap) / 1024,
                number(COMMITTED, heap) / 1024,
                number(METASPACE, jcmd(server, "VM.metaspace")) / 1024,
                number(CODE, jcmd(server, "Compiler.codecache")) / 1024,
                number(MAPPED, status) / 1024,
                entries(proc.resolve("fd")),
                entries(proc.resolve("task")),
                inodes(data));
    }

    /** The larger one of each figure. */
    ServerFigures most(ServerFigures other) {
        return new ServerFigures(
                Math.max(residentMib, other.residentMib),
                Math.max(childrenMib, other.childrenMib),
                Math.max(heapMib, other.heapMib),
                Math.max(committedMib, other.committedMib),
                Math.max(metaspaceMib, other.metaspaceMib),
                Math.max(codeMib, other.codeMib),
                Math.max(mappedMib, other.mappedMib),
                Math.max(files, other.files),
                Math.max(threads, other.threads),
                Math.max(inodes, other.inodes));
    }

    void row(Report.Table table, String when) {
        table.row(
                when,
                residentMib,
                childrenMib,
                heapMib,
                committedMib,
                metaspaceMib,
                codeMib,
                mappedMib,
                files,
                threads,
                inodes);
    }

    /**
     * Collects the whole heap, so that two moments can be compared: the histogram does so at once,
     * {@code GC.run} by a concurrent cycle.
     */
    public static void collect(ProcessHandle server) throws IOException, InterruptedException {
        jcmd(server, "GC.class_histogram");
    }

    private static String jcmd(ProcessHandle server, String command)
            throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return Command.require(List.of(jcmd, String.valueOf(server.pid()), command)).text();
    }

    private static double number(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Double.parseDouble(matcher.group(1)) : Double.NaN;
    }

    private static long entries(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        }
    }

    private static long inodes(Path data) throws IOException, InterruptedException {
        return Command.run(List.of("find", data.toString())).text().lines().count();
    }
}
