package touchline.media.worker;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Linux system calls by number, on x86-64. Most of these calls act on the calling thread only, so
 * one thread makes them all. Memory passed to the kernel lives as long as the process.
 */
final class Syscalls {
    static final int ENOSYS = 38;

    private static final int CALL_ARGUMENTS = 6;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final Arena arena = Arena.global();
    private final MemorySegment state = arena.allocate(STATE);
    private final MethodHandle syscall;

    // Nothing but this class calls the kernel directly.
    @SuppressWarnings("restricted")
    Syscalls() {
        ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        Linker linker = Linker.nativeLinker();
        syscall =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("syscall"),
                        FunctionDescriptor.of(word, word, word, word, word, word, word, word),
                        Linker.Option.firstVariadicArg(1),
                        Linker.Option.captureCallState("errno"));
    }

    /** Whether system calls can be made here: the numbers are those of one machine. */
    static boolean supported() {
        return System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64");
    }

    /** Returns the result, or the negative error number. */
    long attempt(int number, long... arguments) {
        long[] all = new long[CALL_ARGUMENTS];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        try {
            long result =
                    (long)
                            syscall.invokeExact(
                                    state,
                                    (long) number,
                                    all[0],
                                    all[1],
                                    all[2],
                                    all[3],
                                    all[4],
                                    all[5]);
            return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
        } catch (Throwable e) {
            throw new IllegalStateException("system call " + number, e);
        }
    }

    /**
     * @param what names the step in the message
     * @throws IOException if the kernel refuses it
     */
    long call(String what, int number, long... arguments) throws IOException {
        long result = attempt(number, arguments);
        if (result < 0) {
            throw new IOException(what + ": error " + -result);
        }
        return result;
    }

    /** The address of a zero-terminated string. */
    long text(String text) {
        return arena.allocateFrom(text).address();
    }

    /** The address of a zero-terminated array of strings. */
    long texts(Iterable<String> texts, int count) {
        MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, count + 1L);
        int index = 0;
        for (String each : texts) {
            array.setAtIndex(ValueLayout.JAVA_LONG, index++, text(each));
        }
        return array.address();
    }

    /** The address of consecutive 64-bit values. */
    long words(long... values) {
        return arena.allocateFrom(ValueLayout.JAVA_LONG, values).address();
    }

    /** The address of bytes. */
    long bytes(byte[] values) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, values).address();
    }
}
