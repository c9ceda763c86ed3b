package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class TrainCommandIT {
    private static final Pattern WATCHED =
            Pattern.compile("Result\\[rounds=(\\d+), answers=(\\d+)]");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void train_servesViewers_andLeavesNothingBehind() throws IOException {
        List<Path> before = folders();
        CommandLine commands = Main.commandLine();
        commands.setOut(new PrintWriter(out, /* autoFlush= */ true));
        commands.setErr(new PrintWriter(err, /* autoFlush= */ true));

        assertEquals(0, commands.execute("train", "--seconds", "2"), err.toString());

        Matcher watched = WATCHED.matcher(out.toString());
        assertTrue(watched.find(), out.toString());
        int rounds = Integer.parseInt(watched.group(1));
        assertTrue(rounds >= 1, watched.group());
        // Of 1,200 a round only the 300 for a part that its segment ends without may be refused.
        assertTrue(Integer.parseInt(watched.group(2)) >= 900 * rounds, watched.group());
        assertEquals(before, folders());
    }

    private static List<Path> folders() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(
                            each ->
                                    each.getFileName()
                                            .toString()
                                            .startsWith("touchline-aot-training"))
                    .toList();
        }
    }
}
