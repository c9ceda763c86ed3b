package touchline.media.worker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command line of the child JVM. Immutable.
 *
 * @param mainClass receives one argument, {@code worker}, and calls {@link Worker#serve}
 * @param workDir in which each worker gets a folder of its own, its current and temporary one
 */
public record WorkerLaunch(WorkerJvm jvm, String mainClass, Path workDir, WorkerLimits limits) {
    /** Switches JavaCPP's own limits of native memory off: the limit of the process holds. */
    private static final List<String> LIMITED_BY_PROCESS =
            List.of(
                    "-Dorg.bytedeco.javacpp.maxBytes=0",
                    "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0");

    /** Returns a launch with the current JVM and its class path. */
    public static WorkerLaunch likeThisJvm(String mainClass, Path workDir, WorkerLimits limits) {
        return new WorkerLaunch(WorkerJvm.likeThis(), mainClass, workDir, limits);
    }

    /**
     * Returns the same launch, whose native memory the limits of the process bound, not JavaCPP.
     */
    public WorkerLaunch limitedByProcess() {
        List<String> more = new ArrayList<>(jvm.arguments());
        more.addAll(LIMITED_BY_PROCESS);
        return new WorkerLaunch(
                new WorkerJvm(jvm.java(), jvm.classPath(), more), mainClass, workDir, limits);
    }

    /**
     * @param folder the worker's own
     * @param libraries its folder of native libraries
     */
    List<String> command(Path folder, Path libraries) {
        List<String> command = new ArrayList<>();
        command.add(jvm.java().toString());
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
        command.addAll(jvm.arguments());
        // The last one counts.
        command.add("-Dorg.bytedeco.javacpp.cachedir=" + libraries);
        command.add("-cp");
        command.add(jvm.classPath());
        command.add(mainClass);
        command.add("worker");
        return command;
    }
}
