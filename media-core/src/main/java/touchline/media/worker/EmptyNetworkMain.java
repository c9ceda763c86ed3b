package touchline.media.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs inside a new network namespace: brings its loopback device up, passes a listening socket to
 * the server, and executes a command in its own place. If a step fails, the command is not
 * executed. Used by {@link EmptyNetwork}; the JDK only, since it runs before each browser.
 */
final class EmptyNetworkMain {
    /** Exit status if the command is not executed. */
    static final int EXIT_NO_NETWORK = 122;

    private static final int SYS_RT_SIGPROCMASK = 14;
    private static final int SYS_IOCTL = 16;
    private static final int SYS_SOCKET = 41;
    private static final int SYS_CONNECT = 42;
    private static final int SYS_SENDMSG = 46;
    private static final int SYS_BIND = 49;
    private static final int SYS_LISTEN = 50;
    private static final int SYS_EXECVE = 59;
    private static final int SYS_CLOSE_RANGE = 436;

    private static final short AF_UNIX = 1;
    private static final short AF_INET = 2;
    private static final long SOCK_STREAM = 1;
    private static final long SOCK_NONBLOCK = 0x800;
    private static final long SOCK_CLOEXEC = 0x80000;
    private static final long SOL_SOCKET = 1;
    private static final long SCM_RIGHTS = 1;
    private static final long SIOCSIFFLAGS = 0x8914;
    private static final short IFF_UP = 1;
    private static final long SIG_SETMASK = 2;
    private static final int SIGNAL_SET_BYTES = 8;
    private static final long CLOSE_ON_EXEC = 4;

    /** The DevTools pipe is 3 and 4. */
    private static final int FIRST_CLOSED = 5;

    private static final int BACKLOG = 128;
    private static final int NAME_BYTES = 16;
    private static final int IFREQ_BYTES = 40;
    private static final int SOCKADDR_IN_BYTES = 16;
    private static final int CMSG_BYTES = 20;
    private static final int CMSG_SPACE = 24;

    private final Syscalls kernel = new Syscalls();

    private EmptyNetworkMain() {}

    /** Arguments: the {@link EmptyNetwork}, the server's socket, the command. */
    public static void main(String[] arguments) {
        List<String> all = List.of(arguments);
        try {
            new EmptyNetworkMain()
                    .execute(
                            EmptyNetwork.valueOf(all.get(0)),
                            all.get(1),
                            all.subList(2, all.size()));
        } catch (IOException | RuntimeException e) {
            System.err.println("empty network: " + e);
            Runtime.getRuntime().halt(EXIT_NO_NETWORK);
        }
    }

    private void execute(EmptyNetwork network, String server, List<String> command)
            throws IOException {
        bringLoopbackUp();
        pass(listen(), server);
        if (network == EmptyNetwork.AS_USER) {
            new Rights(kernel).dropForGood();
        }
        kernel.call("files", SYS_CLOSE_RANGE, FIRST_CLOSED, 0xFFFF_FFFFL, CLOSE_ON_EXEC);
        // The JVM blocks signals in this thread; the command would inherit that.
        kernel.call(
                "signals", SYS_RT_SIGPROCMASK, SIG_SETMASK, kernel.words(0), 0, SIGNAL_SET_BYTES);
        List<String> environment = new ArrayList<>();
        System.getenv().forEach((name, value) -> environment.add(name + "=" + value));
        kernel.call(
                command.getFirst(),
                SYS_EXECVE,
                kernel.text(command.getFirst()),
                kernel.texts(command, command.size()),
                kernel.texts(environment, environment.size()));
    }

    /** netdevice(7): the kernel gives it 127.0.0.1/8 with that. */
    private void bringLoopbackUp() throws IOException {
        long socket = socket(AF_INET, 0);
        byte[] request =
                bytes(IFREQ_BYTES)
                        .put("lo".getBytes(StandardCharsets.US_ASCII))
                        .putShort(NAME_BYTES, IFF_UP)
                        .array();
        kernel.call("loopback device", SYS_IOCTL, socket, SIOCSIFFLAGS, kernel.bytes(request));
    }

    /** The server uses it without blocking. */
    private long listen() throws IOException {
        long socket = socket(AF_INET, SOCK_NONBLOCK);
        byte[] everyAddress =
                bytes(SOCKADDR_IN_BYTES)
                        .putShort(AF_INET)
                        .order(ByteOrder.BIG_ENDIAN)
                        .putShort((short) EmptyNetwork.PORT)
                        .array();
        kernel.call("bind", SYS_BIND, socket, kernel.bytes(everyAddress), SOCKADDR_IN_BYTES);
        kernel.call("listen", SYS_LISTEN, socket, BACKLOG);
        return socket;
    }

    /** One byte with the socket as ancillary data: unix(7), cmsg(3). */
    private void pass(long listener, String server) throws IOException {
        byte[] path = server.getBytes(StandardCharsets.UTF_8);
        byte[] address = bytes(Short.BYTES + path.length + 1).putShort(AF_UNIX).put(path).array();
        long socket = socket(AF_UNIX, 0);
        kernel.call(
                "connect to " + server, SYS_CONNECT, socket, kernel.bytes(address), address.length);
        long data = kernel.words(kernel.bytes(new byte[1]), 1);
        long control = kernel.words(CMSG_BYTES, SOL_SOCKET | SCM_RIGHTS << Integer.SIZE, listener);
        kernel.call(
                "pass the socket",
                SYS_SENDMSG,
                socket,
                kernel.words(0, 0, data, 1, control, CMSG_SPACE, 0),
                0);
    }

    private long socket(short family, long flags) throws IOException {
        return kernel.call("socket", SYS_SOCKET, family, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    }

    private static ByteBuffer bytes(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
