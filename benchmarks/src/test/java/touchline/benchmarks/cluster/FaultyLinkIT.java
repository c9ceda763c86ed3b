package touchline.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A link to a member that says what it receives. */
@Timeout(120)
final class FaultyLinkIT {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int SILENCE_MS = 300;

    private final Partition partition = new Partition();
    private final ServerSocket member = new ServerSocket(0, 10, LOOPBACK);
    private final FaultyLink link =
            new FaultyLink(
                    new FaultyLink.Ends(
                            "b",
                            new InetSocketAddress("127.0.1.2", 0),
                            new InetSocketAddress(LOOPBACK, member.getLocalPort()),
                            new ThisProcess()),
                    partition);

    /** This process is member a, whose address is 127.0.1.1. */
    private static final class ThisProcess implements FaultyLink.Caller {
        @Override
        public String name(Socket accepted) throws IOException {
            String socket = ConnectionOwner.socket(accepted).orElseThrow();
            assertFalse(ConnectionOwner.has(Long.MAX_VALUE, socket), "no such process");
            return ConnectionOwner.has(ProcessHandle.current().pid(), socket) ? "a" : "nobody";
        }

        @Override
        public InetAddress source(String name) {
            try {
                assertEquals("a", name);
                return InetAddress.getByName("127.0.1.1");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    FaultyLinkIT() throws IOException {}

    @AfterEach
    void close() throws IOException {
        link.close();
        member.close();
    }

    private Socket connect() throws IOException {
        return new Socket("127.0.1.2", link.port());
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SILENCE_MS);
        assertThrows(SocketTimeoutException.class, () -> socket.getInputStream().read());
        socket.setSoTimeout(0);
    }

    @Test
    void connection_thatIsCut_carriesNothing_untilThePartitionIsOver() throws Exception {
        try (Socket client = connect();
                Socket server = member.accept()) {
            assertEquals("127.0.1.1", server.getInetAddress().getHostAddress());
            client.getOutputStream().write(1);
            assertEquals(1, server.getInputStream().read());

            partition.cut("b", List.of("c", "a"));
            client.getOutputStream().write(2);
            server.getOutputStream().write(3);
            assertSilent(server);
            assertSilent(client);
            partition.heal();

            assertEquals(2, server.getInputStream().read());
            assertEquals(3, client.getInputStream().read());
            client.shutdownOutput();
            assertEquals(-1, server.getInputStream().read());
        }
    }

    @Test
    void connection_whileItIsCut_reachesTheMemberLater() throws Exception {
        partition.cut("a", List.of("b"));
        assertTrue(partition.isCut("b", "a"));
        assertFalse(partition.isCut("b", "c"));
        try (Socket client = connect()) {
            client.getOutputStream().write(1);
            member.setSoTimeout(SILENCE_MS);
            assertThrows(SocketTimeoutException.class, member::accept);
            member.setSoTimeout(0);
            partition.heal();
            try (Socket server = member.accept()) {
                assertEquals(1, server.getInputStream().read());
            }
        }
    }

    @Test
    void memberThatHasEnded_refuses() throws Exception {
        link.refuse();
        assertThrows(ConnectException.class, this::connect);
        link.acceptAgain();
        member.close();
        try (Socket client = connect()) {
            assertEquals(-1, client.getInputStream().read(), "nothing listens behind it");
        }
    }
}
