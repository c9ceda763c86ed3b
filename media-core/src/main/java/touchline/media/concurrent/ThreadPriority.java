package touchline.media.concurrent;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scheduling priority of single threads. Linux keeps a nice value for each thread (setpriority(2),
 * "C library/kernel differences"); Java's own priorities have no effect there.
 */
public final class ThreadPriority {
    private static final Logger log = LoggerFactory.getLogger(ThreadPriority.class);

    private static final Path TASKS = Path.of("/proc/self/task");

    /** HotSpot's names for them, which the system cuts off (proc(5), "comm"). */
    private static final String OPTIMIZER = "C2 Compiler";

    /** It keeps a third of the weight of other threads (sched(7)). */
    private static final int OPTIMIZER_NICENESS = 5;

    /** Of setpriority(2): the number is that of a thread. */
    private static final int PRIO_PROCESS = 0;

    private ThreadPriority() {}

    /**
     * Lowers the priority of the calling platform thread below the one it has, and of native
     * threads that it starts from now on: a server that runs with a lower priority itself keeps
     * this order. Without effect where the system refuses, and no lower than its lowest, nice value
     * 19.
     *
     * @param niceness 1 to 19, added to the nice value of the thread (nice(2))
     */
    public static void lower(int niceness) {
        MethodHandle nice = function("nice", ValueLayout.JAVA_INT);
        try {
            int reached = (int) nice.invokeExact(niceness);
            log.debug("nice value {}", reached);
        } catch (Throwable e) {
            throw new IllegalStateException("nice", e);
        }
    }

    /**
     * Lowers the priority of the JVM's optimizing compiler (C2) below that of the process. Where
     * processors are short, as when a server starts on two of them, it yields to the code that runs
     * already, and to the first compiler. Without effect on a system without {@code /proc}, or that
     * refuses.
     */
    public static void lowerOptimizer() {
        List<Integer> optimizers = optimizers();
        if (optimizers.isEmpty()) {
            // A JVM without C2: linking the functions would be for nothing.
            return;
        }
        MethodHandle get = function("getpriority", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        MethodHandle set =
                function(
                        "setpriority",
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT);
        try {
            for (int thread : optimizers) {
                int before = (int) get.invokeExact(PRIO_PROCESS, thread);
                int refused =
                        (int) set.invokeExact(PRIO_PROCESS, thread, before + OPTIMIZER_NICENESS);
                log.debug("C2 thread {}: nice value {}, {}", thread, before, refused);
            }
        } catch (Throwable e) {
            throw new IllegalStateException("setpriority", e);
        }
    }

    /** Numbers of the compiler's threads. */
    private static List<Integer> optimizers() {
        List<Integer> found = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(TASKS)) {
            for (Path thread : threads) {
                if (name(thread).startsWith(OPTIMIZER)) {
                    found.add(Integer.parseInt(thread.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            log.debug("no list of threads: {}", e.toString());
        }
        return found;
    }

    /** Empty for a thread that has ended meanwhile. */
    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (IOException _) {
            return "";
        }
    }

    /** A function of the C library with a result of type int. */
    @SuppressWarnings("restricted") // the server is started with native access
    private static MethodHandle function(String name, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }
}
