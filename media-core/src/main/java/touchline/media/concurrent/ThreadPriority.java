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

    private static final int PRIO_PROCESS = 0;
    private static final int THIS_THREAD = 0;

    private ThreadPriority() {}

    /**
     * Lowers the priority of the calling platform thread, and of native threads that it starts from
     * now on. Without effect where the system refuses.
     *
     * @param niceness 1 to 19
     */
    @SuppressWarnings("restricted") // the server is started with native access
    public static void lower(int niceness) {
        Linker linker = Linker.nativeLinker();
        MemorySegment function = linker.defaultLookup().findOrThrow("setpriority");
        MethodHandle setPriority =
                linker.downcallHandle(
                        function,
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT));
        try {
            int code = (int) setPriority.invokeExact(PRIO_PROCESS, THIS_THREAD, niceness);
            if (code != 0) {
                log.debug("setpriority {} was refused", niceness);
            }
        } catch (Throwable e) {
            throw new IllegalStateException("setpriority", e);
        }
    }
}
