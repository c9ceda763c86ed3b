package touchline.api.app;

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
import java.nio.charset.StandardCharsets;

/**
 * Sends datagrams to a Unix socket, which the JDK cannot: its channels for Unix sockets are streams
 * only. Calls {@code socket(2)} and {@code sendto(2)} of the C library. Linux only. Any thread.
 */
final class NotifySocket {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x8_0000;
    private static final int MSG_NOSIGNAL = 0x4000;

    /** {@code sun_path} of unix(7). */
    private static final int PATH_BYTES = 108;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final byte[] address;
    private final MethodHandle socket;
    private final MethodHandle sendto;
    private final MethodHandle close;

    /**
     * @param name an absolute path, or {@code @} and a name in the abstract namespace
     * @throws IllegalArgumentException the name is neither, or longer than 107 bytes
     */
    @SuppressWarnings("restricted") // the launcher enables native access
    NotifySocket(String name) {
        this.address = address(name);
        Linker linker = Linker.nativeLinker();
        Linker.Option errno = Linker.Option.captureCallState("errno");
        socket =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("socket"),
                        FunctionDescriptor.of(INT, INT, INT, INT),
                        errno);
        sendto =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("sendto"),
                        FunctionDescriptor.of(
                                LONG,
                                INT,
                                ValueLayout.ADDRESS,
                                LONG,
                                INT,
                                ValueLayout.ADDRESS,
                                INT),
                        errno);
        close =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("close"),
                        FunctionDescriptor.of(INT, INT));
    }

    /**
     * Returns a {@code sockaddr_un}. A name in the abstract namespace starts with a zero byte and
     * has no end mark (unix(7)).
     */
    static byte[] address(String name) {
        boolean isAbstract = name.startsWith("@");
        if (!isAbstract && !name.startsWith("/")) {
            throw new IllegalArgumentException(
                    "NOTIFY_SOCKET: %s (expected: /PATH or @NAME)".formatted(name));
        }
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        if (path.length >= PATH_BYTES) {
            throw new IllegalArgumentException(
                    "NOTIFY_SOCKET: %d bytes (expected: < %d)".formatted(path.length, PATH_BYTES));
        }
        byte[] all = new byte[2 + path.length + (isAbstract ? 0 : 1)];
        // The family, in the byte order of this machine; Linux on x86-64 is little-endian.
        all[0] = AF_UNIX;
        System.arraycopy(path, 0, all, 2, path.length);
        if (isAbstract) {
            all[2] = 0;
        }
        return all;
    }

    /**
     * Sends one datagram.
     *
     * @throws IOException nothing receives there, or the sandbox denies it
     */
    void send(String text) throws IOException {
        byte[] message = text.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, message);
            MemorySegment to = arena.allocateFrom(ValueLayout.JAVA_BYTE, address);
            int descriptor = (int) socket.invokeExact(state, AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
            check("socket", descriptor, state);
            try {
                long sent =
                        (long)
                                sendto.invokeExact(
                                        state,
                                        descriptor,
                                        bytes,
                                        (long) message.length,
                                        MSG_NOSIGNAL,
                                        to,
                                        address.length);
                check("sendto", sent, state);
            } finally {
                int _ = (int) close.invokeExact(descriptor);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(String call, long result, MemorySegment state) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": error " + (int) ERRNO.get(state, 0L));
        }
    }
}
