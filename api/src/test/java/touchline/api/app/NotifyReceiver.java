package touchline.api.app;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** A real Unix datagram socket, as a service manager binds it. One thread. */
final class NotifyReceiver implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final long PATIENCE_S = 20;
    private static final int MOST_BYTES = 1_024;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout POINTER = ValueLayout.ADDRESS;

    private final int descriptor;

    /**
     * @param name as {@code NOTIFY_SOCKET} has it
     */
    NotifyReceiver(String name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            descriptor =
                    (int)
                            call("socket", FunctionDescriptor.of(INT, INT, INT, INT))
                                    .invokeExact(AF_UNIX, SOCK_DGRAM, 0);
            byte[] address = NotifySocket.address(name);
            MemorySegment time = arena.allocateFrom(LONG, PATIENCE_S, 0L);
            int limited =
                    (int)
                            call(
                                            "setsockopt",
                                            FunctionDescriptor.of(INT, INT, INT, INT, POINTER, INT))
                                    .invokeExact(
                                            descriptor,
                                            SOL_SOCKET,
                                            SO_RCVTIMEO,
                                            time,
                                            2 * Long.BYTES);
            int bound =
                    (int)
                            call("bind", FunctionDescriptor.of(INT, INT, POINTER, INT))
                                    .invokeExact(
                                            descriptor,
                                            arena.allocateFrom(ValueLayout.JAVA_BYTE, address),
                                            address.length);
            if (descriptor < 0 || limited < 0 || bound < 0) {
                throw new IOException("cannot bind " + name);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits for the next message; empty if none comes. */
    String next() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(MOST_BYTES);
            long length =
                    (long)
                            call("recv", FunctionDescriptor.of(LONG, INT, POINTER, LONG, INT))
                                    .invokeExact(descriptor, buffer, (long) MOST_BYTES, 0);
            byte[] bytes = buffer.asSlice(0, Math.max(0, length)).toArray(ValueLayout.JAVA_BYTE);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            int _ = (int) call("close", FunctionDescriptor.of(INT, INT)).invokeExact(descriptor);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("restricted") // tests enable native access
    private static MethodHandle call(String name, FunctionDescriptor types) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), types);
    }
}
