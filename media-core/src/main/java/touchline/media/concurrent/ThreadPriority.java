package touchline.media.concurrent;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scheduling priority of single threads. Linux keeps a nice value for each thread (setpriority(2),
 * "C library/kernel differences"); Java's own priorities have no effect there.
 */
public final class ThreadPriority {
    private static final Logger log = LoggerFactory.getLogger(ThreadPriority.class);

    private ThreadPriority() {}

    /**
     * Lowers the priority of the calling platform thread below the one it has, and of native
     * threads that it starts from now on: a server that runs with a lower priority itself keeps
     * this order. Without effect where the system refuses, and no lower than its lowest, nice value
     * 19.
     *
     * @param niceness 1 to 19, added to the nice value of the thread (nice(2))
     */
    @SuppressWarnings("restricted") // the server is started with native access
    public static void lower(int niceness) {
        Linker linker = Linker.nativeLinker();
        MemorySegment function = linker.defaultLookup().findOrThrow("nice");
        MethodHandle nice =
                linker.downcallHandle(
                        function,
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            int reached = (int) nice.invokeExact(niceness);
            log.debug("nice value {}", reached);
        } catch (Throwable e) {
            throw new IllegalStateException("nice", e);
        }
    }
}
