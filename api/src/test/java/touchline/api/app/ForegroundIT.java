package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a server, in a JVM of its own and with real signals. */
@Timeout(480)
final class ForegroundIT {
    /** Main class of the other JVM: the first argument sets the behaviour of its server. */
    static final class SignalledServer {
        private SignalledServer() {}

        public static void main(String[] arguments) throws InterruptedException {
            String behaviour = arguments[0];
            Duration limit = Duration.ofMillis(behaviour.equals("hangs") ? 300 : 8_000);
            Foreground foreground = new Foreground(limit);
            if (behaviour.equals("reloads")) {
                foreground.reloadingAtHangup();
            }
            int code =
                    foreground.run(
                            () -> {
                                if (behaviour.equals("fails")) {
                                    throw new IllegalStateException("no port");
                                }
                                if (behaviour.equals("uncaught")) {
                                    breakOneThread();
                                }
                                say("started");
                                return switch (behaviour) {
                                    case "loses" -> new LosingServer();
                                    case "reloads" -> new ReloadingServer();
                                    default -> () -> close(behaviour);
                                };
                            });
            System.exit(code);
        }

        private static final class LosingServer implements RunningServer {
            @Override
            public String awaitFailure() {
                return "another server has the database";
            }

            @Override
            public void close() {
                SignalledServer.close("loses");
            }
        }

        private static final class ReloadingServer implements RunningServer {
            private int times;

            @Override
            public void reload() {
                say("reloaded " + ++times);
                throw new IllegalStateException("of a test");
            }

            @Override
            public void close() {
                SignalledServer.close("reloads");
            }
        }

        private static void breakOneThread() {
            Thread thread =
                    Thread.ofPlatform()
                            .name("broken-thread")
                            .start(
                                    () -> {
                                        throw new LinkageError("class missing");
                                    });
            try {
                thread.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private static void close(String behaviour) {
            if (behaviour.equals("hangs")) {
                new java.util.concurrent.CompletableFuture<Void>().join();
            }
            if (behaviour.equals("breaks")) {
                throw new IllegalStateException("close broke");
            }
            say("closed");
        }

        private static void say(String word) {
            System.out.println(word);
            System.out.flush();
        }
    }

    @Test
    void server_onSigterm_isClosedAndEndsWith0() throws Exception {
        assertEquals(0, exitCodeAfter("TERM", "serves", "closed"));
    }

    @Test
    void server_onSigint_isClosedAndEndsWith0() throws Exception {
        assertEquals(0, exitCodeAfter("INT", "serves", "closed"));
    }

    /** Also after a reload that failed; then SIGTERM still ends it. */
    @Test
    void server_onSighup_reloadsEachTime_andGoesOn() throws Exception {
        Process process = start("reloads");
        try (BufferedReader output = process.inputReader()) {
            awaitLine(output, "started");
            signal(process, "HUP");
            awaitLine(output, "reloaded 1");
            signal(process, "HUP");
            awaitLine(output, "reloaded 2");
            signal(process, "TERM");
            assertTrue(output.lines().anyMatch("closed"::equals));
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void server_thatHangs_isEndedAfterTheLimitWith1() throws Exception {
        assertEquals(1, exitCodeAfter("TERM", "hangs", "not closed after 300 ms, ending anyway"));
    }

    @Test
    void server_whoseCloseBreaks_endsWith1() throws Exception {
        assertEquals(1, exitCodeAfter("TERM", "breaks", "closing failed"));
    }

    @Test
    void uncaughtError_ofAnyThread_isLoggedWithItsStack() throws Exception {
        Process process = start("uncaught");
        try (BufferedReader output = process.inputReader()) {
            List<String> lines = new ArrayList<>();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                // The log is written by a thread of its own: it may come after "started".
                if (line.contains("LinkageError: class missing")) {
                    break;
                }
            }
            assertTrue(
                    lines.stream()
                            .anyMatch(
                                    line ->
                                            line.contains("ERROR")
                                                    && line.contains(
                                                            "thread broken-thread ended by an"
                                                                    + " uncaught exception")),
                    lines.toString());
            assertTrue(
                    lines.stream().anyMatch(line -> line.contains("LinkageError: class missing")),
                    lines.toString());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void server_thatCannotGoOn_isClosedAndEndsWith2() throws Exception {
        Process process = start("loses");
        try (BufferedReader output = process.inputReader()) {
            List<String> lines = output.lines().toList();

            assertTrue(lines.contains("closed"), lines.toString());
            assertTrue(
                    lines.stream().anyMatch(line -> line.contains("another server has the")),
                    lines.toString());
            assertTrue(process.waitFor(30, TimeUnit.SECONDS));
            assertEquals(2, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void server_thatDoesNotStart_endsAtOnceWith1() throws Exception {
        Process process = start("fails");

        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(1, process.exitValue());
    }

    private static int exitCodeAfter(String signal, String behaviour, String expectedOutput)
            throws IOException, InterruptedException {
        Process process = start(behaviour);
        try (BufferedReader output = process.inputReader()) {
            awaitLine(output, "started");
            signal(process, signal);
            List<String> rest = new ArrayList<>();
            output.lines().forEach(rest::add);
            assertTrue(
                    rest.stream().anyMatch(line -> line.contains(expectedOutput)), rest.toString());
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static void awaitLine(BufferedReader output, String expected) throws IOException {
        String line = output.readLine();
        while (!expected.equals(line)) {
            assertTrue(line != null, "ended before it said: " + expected);
            line = output.readLine();
        }
    }

    private static void signal(Process process, String name)
            throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    /**
     * Tests in a shell's background, and their child processes, ignore SIGINT; those below nohup
     * ignore SIGHUP.
     */
    private static Process start(String behaviour) throws IOException {
        return new ProcessBuilder(
                        "env",
                        "--default-signal=INT,HUP",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SignalledServer.class.getName(),
                        behaviour)
                .redirectErrorStream(true)
                .start();
    }
}
