package touchline.media.worker;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command line of the child JVM. Immutable.
 *
 * @param java the binary
 * @param classPath as {@code -cp} takes it
 * @param mainClass receives one argument, {@code worker}, and calls {@link Worker#serve}
 * @param jvmArguments additional JVM arguments
 * @param workDir in which each worker gets a folder of its own, its current and temporary one
 */
public record WorkerLaunch(
        Path java,
        String classPath,
        String mainClass,
        List<String> jvmArguments,
        Path workDir,
        WorkerLimits limits) {
    /** Switches JavaCPP's own limits of native memory off: the limit of the process holds. */
    private static final List<String> LIMITED_BY_PROCESS =
            List.of(
                    "-Dorg.bytedeco.javacpp.maxBytes=0",
                    "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0");

    private static final List<String> AOT_CACHE =
            List.of("-XX:AOTCache=", "-XX:+UseCompactObjectHeaders", "-Xlog:cds", "-Xlog:aot");

    public WorkerLaunch {
        jvmArguments = List.copyOf(jvmArguments);
    }

    /** Returns a launch with the current JVM and its class path. */
    public static WorkerLaunch likeThisJvm(String mainClass, Path workDir, WorkerLimits limits) {
        return new WorkerLaunch(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                mainClass,
                aotCache(),
                workDir,
                limits);
    }

    /**
     * Returns the same launch, whose native memory the limits of the process bound, not JavaCPP.
     */
    public WorkerLaunch limitedByProcess() {
        List<String> more = new ArrayList<>(jvmArguments);
        more.addAll(LIMITED_BY_PROCESS);
        return new WorkerLaunch(java, classPath, mainClass, more, workDir, limits);
    }

    /** Returns the AOT cache arguments of this JVM, and the arguments that must match the cache. */
    private static List<String> aotCache() {
        List<String> given = ManagementFactory.getRuntimeMXBean().getInputArguments();
        return given.stream()
                .filter(argument -> AOT_CACHE.stream().anyMatch(argument::startsWith))
                .toList();
    }

    /**
     * @param folder the worker's own
     * @param libraries its folder of native libraries
     */
    List<String> command(Path folder, Path libraries) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.add("-Xmx" + limits.heapBytes());
        // Small heap: the serial collector uses the fewest threads and the least memory.
        command.add("-XX:+UseSerialGC");
        // Short-lived, mostly native work: the second compiler costs more than it saves.
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.add("-XX:-CreateCoredumpOnCrash");
        command.add("-XX:+ErrorFileToStderr");
        // Standard output is reserved for replies; JVM messages go to standard error.
        command.add("-XX:+DisplayVMOutputToStderr");
        // No shared memory file in /tmp, no attach from other processes.
        command.add("-XX:-UsePerfData");
        command.add("-XX:+DisableAttachMechanism");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Djava.awt.headless=true");
        command.add("-Djava.io.tmpdir=" + folder);
        command.addAll(jvmArguments);
        // The last one counts.
        command.add("-Dorg.bytedeco.javacpp.cachedir=" + libraries);
        command.add("-cp");
        command.add(classPath);
        command.add(mainClass);
        command.add("worker");
        return command;
    }
}
