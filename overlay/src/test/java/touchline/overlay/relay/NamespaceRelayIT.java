package touchline.overlay.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.media.worker.EmptyNetwork;

/** A shell in a network of its own, in the place of a browser. */
@Timeout(180)
class NamespaceRelayIT {
    /** More than all buffers between the two ends hold. */
    private static final int MANY_BYTES = 16 << 20;

    private static final String CONNECT = "exec 3<>/dev/tcp/%s/%s";

    @TempDir private Path folder;
    private ServerSocket proxy;
    private NamespaceRelay relay;

    @BeforeEach
    void open() throws IOException {
        proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        relay = NamespaceRelay.open(folder.resolve("relay"));
    }

    @AfterEach
    void close() throws IOException {
        relay.close();
        proxy.close();
    }

    /** Those that this user may create. */
    static Stream<EmptyNetwork> networks() throws Exception {
        List<EmptyNetwork> usable = new ArrayList<>();
        for (EmptyNetwork each : EmptyNetwork.values()) {
            List<String> command = new ArrayList<>(each.before(Path.of("unused")));
            command.subList(command.indexOf("--net") + 1, command.size()).clear();
            command.add("true");
            if (new ProcessBuilder(command).start().waitFor() == 0) {
                usable.add(each);
            }
        }
        assertTrue(!usable.isEmpty(), "no network namespaces for tests on this host");
        return usable.stream();
    }

    @ParameterizedTest
    @MethodSource("networks")
    void command_reachesItsProxy_andNothingElse(EmptyNetwork network) throws Exception {
        try (ServerSocket api = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String admitted = host(relay.admit(proxy.getLocalPort(), 8));
            String other = host(relay.admit(api.getLocalPort(), 8));
            relay.withdraw(api.getLocalPort());
            try (Shell shell = new Shell(network)) {
                assertRights(network, shell);
                shell.run(
                        CONNECT.formatted(admitted, EmptyNetwork.PORT)
                                + " && echo question >&3; cat <&3 >answer");
                try (Socket carried = proxy.accept()) {
                    assertEquals(
                            "question\n",
                            new String(carried.getInputStream().readNBytes(9), UTF_8));
                    carried.getOutputStream().write("answer".getBytes(UTF_8));
                }
                assertEquals("0", shell.result());
                assertEquals("answer", Files.readString(folder.resolve("answer")));

                // The relay closes what it does not carry.
                shell.run(
                        CONNECT.formatted(other, EmptyNetwork.PORT) + " && cat <&3 | wc -c >read");
                assertEquals("0", shell.result());
                assertEquals("0", Files.readString(folder.resolve("read")).strip());
                shell.run(CONNECT.formatted("127.0.0.1", api.getLocalPort()));
                assertEquals("1", shell.result());
                shell.run(CONNECT.formatted("192.0.2.1", 53));
                assertEquals("1", shell.result());
                shell.run("tail -n +3 /proc/net/dev >devices");
                assertEquals("0", shell.result());
                assertTrue(
                        Files.readString(folder.resolve("devices")).matches(" *lo:.*\\n"),
                        "devices of another network");
            }
            api.setSoTimeout(1);
            assertThrows(IOException.class, api::accept);
        }
    }

    /** A command of root keeps root's rights; the user changes after it. */
    private static void assertRights(EmptyNetwork network, Shell shell) throws IOException {
        String status = Files.readString(Path.of("/proc/%d/status".formatted(shell.pid())));
        boolean ofUser = network == EmptyNetwork.AS_USER;
        for (String each : List.of("CapEff", "CapPrm", "CapBnd")) {
            assertEquals(
                    ofUser, status.contains(each + ":\t0000000000000000\n"), () -> each + status);
        }
        assertTrue(!ofUser || status.contains("NoNewPrivs:\t1\n"), status);
        assertTrue(status.contains("SigBlk:\t0000000000000000\n"), status);
    }

    @Test
    void bytes_arriveAllAndInOrder_howeverSlowTheReader() throws Exception {
        byte[] sent = new byte[MANY_BYTES];
        new Random(1).nextBytes(sent);
        Files.write(folder.resolve("sent"), sent);
        String host = host(relay.admit(proxy.getLocalPort(), 8));
        try (Shell shell = new Shell(networks().findFirst().orElseThrow())) {
            shell.run(
                    CONNECT.formatted(host, EmptyNetwork.PORT)
                            + " && { cat sent >&3 & cat <&3 >received; wait; }");
            try (Socket carried = proxy.accept()) {
                // Nothing is read until the sender can write no more: both directions are full.
                carried.getOutputStream().write(sent);
                byte[] arrived = carried.getInputStream().readNBytes(MANY_BYTES);
                assertArrayEquals(sent, arrived);
            }
            assertEquals("0", shell.result());
            assertArrayEquals(sent, Files.readAllBytes(folder.resolve("received")));
        }
    }

    @Test
    void connections_aboveTheLimit_andOfAWithdrawnProxy_areClosed() throws Exception {
        String host = host(relay.admit(proxy.getLocalPort(), 1));
        try (Shell shell = new Shell(networks().findFirst().orElseThrow())) {
            shell.run(CONNECT.formatted(host, EmptyNetwork.PORT) + " && exec 4<&3");
            try (Socket _ = proxy.accept()) {
                assertEquals("0", shell.result());
                shell.run(
                        CONNECT.formatted(host, EmptyNetwork.PORT) + " && cat <&3 | wc -c >second");
                assertEquals("0", shell.result());
                assertEquals("0", Files.readString(folder.resolve("second")).strip());

                relay.withdraw(proxy.getLocalPort());
                shell.run("cat <&4 | wc -c >first");
                assertEquals("0", shell.result());
            }
        }
    }

    @Test
    void process_thatPassesNoSocket_isRefused() throws Exception {
        Process ended = new ProcessBuilder("false").start();

        assertThrows(IOException.class, () -> relay.awaitListener(ended.toHandle()));
    }

    @Test
    void socketOfAnotherProcess_isIgnored() throws Exception {
        EmptyNetwork network = networks().findFirst().orElseThrow();
        List<String> command = new ArrayList<>(network.before(folder.resolve("relay")));
        command.add("/bin/true");
        // It has connected, and waits in the queue before the shell.
        assertEquals(0, new ProcessBuilder(command).start().waitFor());

        String host = host(relay.admit(proxy.getLocalPort(), 8));
        try (Shell shell = new Shell(network)) {
            shell.run(CONNECT.formatted(host, EmptyNetwork.PORT));
            assertEquals("0", shell.result());
            proxy.accept().close();
        }
    }

    private static String host(String address) {
        return address.replaceFirst(":.*", "");
    }

    /** A process in a network of its own that runs lines and reports their exit status. */
    private final class Shell implements AutoCloseable {
        private final Process process;
        private final Writer lines;
        private final BufferedReader results;

        Shell(EmptyNetwork network) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(network.before(folder.resolve("relay")));
            command.add("/bin/bash");
            process =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectError(folder.resolve("errors").toFile())
                            .start();
            lines = process.outputWriter();
            results = process.inputReader();
            try {
                relay.awaitListener(process.toHandle());
                // From now on it is the shell, not the program before it.
                run("true");
                assertEquals("0", result());
            } catch (IOException e) {
                String errors = Files.readString(folder.resolve("errors"));
                close();
                throw new UncheckedIOException(errors, e);
            }
        }

        long pid() {
            return process.pid();
        }

        void run(String line) throws IOException {
            lines.write("{ " + line + "; }; echo $?\n");
            lines.flush();
        }

        String result() throws IOException {
            return results.readLine();
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
