package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder;

    @Test
    void command_unknown_showsUsageAndEndsWith2() {
        assertEquals(2, run(Main.commandLine(), "fly"));
        assertTrue(err.toString().contains("Usage: touchline"), err.toString());
    }

    @Test
    void version_ofEveryCommand_isPrinted() {
        assertEquals(0, run(Main.commandLine(), "--version"));
        assertEquals(0, run(Main.commandLine(), "doctor", "--version"));

        assertEquals(
                2, out.toString().lines().filter(line -> line.startsWith("touchline ")).count());
    }

    @Test
    void usualArguments_ofAServer_areReadWithoutTheOtherCommands() {
        assertTrue(ConfigOption.ofServe("serve").isPresent());
        assertTrue(ConfigOption.ofServe("serve", "--config", "x.yaml").isPresent());
        for (String[] other :
                new String[][] {
                    {},
                    {"demo"},
                    {"serve", "--config"},
                    {"serve", "--config", "--check"},
                    {"serve", "--check"},
                    {"serve", "--help"},
                    {"--config", "x.yaml", "serve"}
                }) {
            assertTrue(ConfigOption.ofServe(other).isEmpty(), () -> String.join(" ", other));
        }
    }

    @Test
    void help_ofEveryCommand_endsWith0() {
        for (String command : Main.commandLine().getSubcommands().keySet()) {
            assertEquals(0, run(Main.commandLine(), command, "--help"), command);
        }
    }

    @Test
    void configuration_wrong_endsWith2AndNamesTheKeyWithoutStack() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.yaml"), "rtmp:\n  prot: 1\n");

        assertEquals(2, run(serve(), "--config", file.toString()));

        assertTrue(err.toString().contains("rtmp.prot: unknown key in " + file), err.toString());
        assertFalse(err.toString().contains("\tat "), err.toString());
    }

    @Test
    void port_inUse_endsWith2AndAdvice() {
        CommandLine serve =
                Main.withErrors(
                        new CommandLine(
                                new ServeCommand(
                                        _ -> {
                                            throw new IllegalStateException(
                                                    "rtmp 0.0.0.0:1935",
                                                    new BindException("Address already in use"));
                                        })));

        assertEquals(2, run(serve));

        assertTrue(err.toString().contains("cannot listen: rtmp 0.0.0.0:1935"), err.toString());
        assertTrue(err.toString().contains("doctor"), err.toString());
        assertFalse(err.toString().contains("\tat "), err.toString());
    }

    @Test
    void serve_onlyToCheck_closesWhatItStarted() {
        AtomicInteger closed = new AtomicInteger();
        CommandLine serve = new CommandLine(new ServeCommand(_ -> closed::incrementAndGet));

        assertEquals(0, run(serve, "--check"));
        assertEquals(1, closed.get());
    }

    private static CommandLine serve() {
        return Main.withErrors(
                new CommandLine(
                        new ServeCommand(
                                _ -> {
                                    throw new IllegalStateException("must not be started");
                                })));
    }

    private int run(CommandLine commands, String... arguments) {
        return commands.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
