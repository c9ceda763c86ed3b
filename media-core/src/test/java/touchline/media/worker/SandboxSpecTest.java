package touchline.media.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

final class SandboxSpecTest {
    private static final SandboxSpec SPEC =
            new SandboxSpec(
                    WorkerSandbox.Confinement.LANDLOCK,
                    new SandboxSpec.Ids(70_001, 70_000),
                    Path.of("/jobs/1"),
                    Path.of("/jobs/1-root"),
                    new SandboxSpec.Libraries(Path.of("/libraries"), Path.of("/unpacked")),
                    List.of(Path.of("/usr"), Path.of("/a=b")),
                    List.of(Path.of("/out")),
                    List.of());

    @Test
    void parse_argumentsOfASpec_isThatSpec() {
        assertEquals(SPEC, SandboxSpec.parse(SPEC.arguments()));
    }

    @Test
    void arguments_arePlainText_upToTheCommand() {
        assertEquals(
                List.of(
                        "confinement=LANDLOCK",
                        "user=70001",
                        "group=70000",
                        "folder=/jobs/1",
                        "mount=/jobs/1-root",
                        "libraries=/libraries",
                        "unpacked=/unpacked",
                        "read=/usr",
                        "read=/a=b",
                        "write=/out",
                        "--"),
                SPEC.arguments());
    }

    /** What the command is given, the sandbox does not read. */
    @Test
    void parse_argumentsOfTheCommand_areNoPermissions() {
        List<String> all = new ArrayList<>(SPEC.arguments());
        all.addAll(List.of("java", "read=/etc", "--", "write=/"));

        assertEquals(SPEC, SandboxSpec.parse(all));
        assertEquals(
                List.of("java", "read=/etc", "--", "write=/"),
                all.subList(SandboxSpec.commandIndex(all), all.size()));
    }

    @Test
    void parse_withoutAFolder_isRefused() {
        List<String> arguments = new ArrayList<>(SPEC.arguments());
        arguments.remove("folder=/jobs/1");

        assertThrows(NoSuchElementException.class, () -> SandboxSpec.parse(arguments));
    }

    @Test
    void parse_unknownConfinement_isRefused() {
        List<String> arguments = new ArrayList<>(SPEC.arguments());
        arguments.set(0, "confinement=WISH");

        assertThrows(IllegalArgumentException.class, () -> SandboxSpec.parse(arguments));
    }

    @Test
    void isOwn_userOfTheServer_isNot() {
        assertFalse(SandboxSpec.Ids.OF_SERVER.isOwn());
        assertTrue(SPEC.user().isOwn());
    }
}
