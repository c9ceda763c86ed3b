package touchline.media.worker;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;

/**
 * The JVM of workers. Immutable.
 *
 * @param java the binary
 * @param classPath as {@code -cp} takes it
 * @param arguments additional JVM arguments
 */
public record WorkerJvm(Path java, String classPath, List<String> arguments) {
    private static final List<String> AOT_CACHE =
            List.of("-XX:AOTCache=", "-XX:+UseCompactObjectHeaders", "-Xlog:cds", "-Xlog:aot");

    public WorkerJvm {
        arguments = List.copyOf(arguments);
    }

    /** Returns the current JVM, its class path, and its AOT cache if it has one. */
    public static WorkerJvm likeThis() {
        List<String> given = ManagementFactory.getRuntimeMXBean().getInputArguments();
        return new WorkerJvm(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                ofAotCache(given));
    }

    /** Returns the arguments that name an AOT cache, and those that must match it. */
    private static List<String> ofAotCache(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> AOT_CACHE.stream().anyMatch(argument::startsWith))
                .toList();
    }
}
