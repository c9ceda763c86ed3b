package touchline.media.worker;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How the child JVM is started. Immutable.
 *
 * @param java the binary
 * @param classPath as {@code -cp} takes it
 * @param mainClass is given one argument, {@code worker}, and calls {@link Worker#serve}
 * @param jvmArguments further ones
 * @param workDir current and temporary directory of the child
 */
public record WorkerLaunch(
        Path java,
        String classPath,
        String mainClass,
        List<String> jvmArguments,
        Path workDir,
        WorkerLimits limits) {
    private static final List<String> AOT_CACHE =
            List.of("-XX:AOTCache=", "-XX:+UseCompactObjectHeaders", "-Xlog:cds", "-Xlog:aot");

    public WorkerLaunch {
        jvmArguments = List.copyOf(jvmArguments);
    }

    /** The JVM that runs now, with its class path. */
    public static WorkerLaunch likeThisJvm(String mainClass, Path workDir, WorkerLimits limits) {
        return new WorkerLaunch(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                mainClass,
                aotCache(),
                workDir,
                limits);
    }

    /** The cache of loaded classes that this JVM was given, and what has to be alike for it. */
    private static List<String> aotCache() {
        List<String> given = ManagementFactory.getRuntimeMXBean().getInputArguments();
        return given.stream()
                .filter(argument -> AOT_CACHE.stream().anyMatch(argument::startsWith))
                .toList();
    }

    List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.add("-Xmx" + limits.heapBytes());
        // One small heap: the serial collector needs the fewest threads and the least memory.
        command.add("-XX:+UseSerialGC");
        // Its work is native: a second compiler would cost more than it saves in its short life.
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.add("-XX:-CreateCoredumpOnCrash");
        command.add("-XX:+ErrorFileToStderr");
        // Standard output is for replies, also when the JVM has something to say.
        command.add("-XX:+DisplayVMOutputToStderr");
        // No shared memory file in /tmp, no attaching from outside.
        command.add("-XX:-UsePerfData");
        command.add("-XX:+DisableAttachMechanism");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Djava.awt.headless=true");
        command.add("-Djava.io.tmpdir=" + workDir);
        command.addAll(jvmArguments);
        command.add("-cp");
        command.add(classPath);
        command.add(mainClass);
        command.add("worker");
        return command;
    }
}
