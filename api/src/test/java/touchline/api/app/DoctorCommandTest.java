package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DoctorCommandTest {
    private final StringWriter out = new StringWriter();

    @Test
    void print_withoutFailures_endsWith0_andAdviceIsBelowItsLine() {
        assertEquals(
                0,
                print(
                        Finding.ok("java", "25"),
                        Finding.warn("disk", "1 GB free", "add disk"),
                        Finding.warn("config", "an old key", "")));

        assertEquals(
                """
                ok    java           25
                warn  disk           1 GB free
                                     -> add disk
                warn  config         an old key
                serve can do its work here
                """,
                out.toString());
    }

    @Test
    void print_withFailures_endsWith1_andCountsThem() {
        assertEquals(
                1,
                print(
                        Finding.fail("disk", "full", "add disk"),
                        Finding.ok("java", "25"),
                        Finding.fail("rtmp", "port in use", "")));

        assertEquals(
                "serve cannot do its work here: 2 failed",
                out.toString().lines().toList().getLast());
    }

    private int print(Finding... findings) {
        return DoctorCommand.print(List.of(findings), new PrintWriter(out));
    }
}
