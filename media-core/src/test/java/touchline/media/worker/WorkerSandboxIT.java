package touchline.media.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/**
 * A worker attacks its server, which runs as root or as a plain user. Where this suite does not run
 * as root, both servers are plain users.
 */
@Timeout(480)
final class WorkerSandboxIT {
    private static final String PLAIN_USER = "4242";

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "root, AUTO",
        "root, LANDLOCK",
        "root, FILTER",
        "plain, AUTO",
        "plain, LANDLOCK",
        "plain, FILTER"
    })
    void worker_attacks_reachesOnlyItsFiles(String user, String sandbox) throws Exception {
        JsonNode result = server(user, sandbox);

        JsonNode reached = result.path("reached");
        boolean wall = result.path("wall").asBoolean();
        assertEquals(result.path("unmasked"), result.path("described"));
        // A host without the means says so: the attacks that succeed are in the report's words.
        assertEquals(
                !wall, result.path("described").asText().contains("open"), result::toPrettyString);
        if (result.path("confinement").asText().equals("NONE")) {
            assertFalse(wall, result::toPrettyString);
            return;
        }
        assertFalse(reached.path("port").asBoolean(), result::toPrettyString);
        assertFalse(reached.path("link").asBoolean(), result::toPrettyString);
        assertFalse(reached.path("signal").asBoolean(), result::toPrettyString);
        if (wall) {
            assertEquals(allowed(result), succeeded(reached), result::toPrettyString);
            assertEquals("secret", result.path("key").asText());
            assertEquals("index", result.path("index").asText());
        }
        assertWorks(result);
    }

    private static Set<String> allowed(JsonNode result) {
        Set<String> allowed = new TreeSet<>();
        result.path("allowed").forEach(each -> allowed.add(each.asText()));
        return allowed;
    }

    private static Set<String> succeeded(JsonNode reached) {
        Set<String> succeeded = new TreeSet<>();
        reached.properties().stream()
                .filter(each -> each.getValue().asBoolean())
                .forEach(each -> succeeded.add(each.getKey()));
        return succeeded;
    }

    private static void assertWorks(JsonNode result) {
        assertEquals(42, result.path("mapped").asInt(), result::toPrettyString);
        assertTrue(result.path("taken_back").asBoolean(), result::toPrettyString);
        assertEquals(0, result.path("left").asInt(), result::toPrettyString);
    }

    /** The attacks work: without a sandbox all of them succeed. */
    @ParameterizedTest
    @CsvSource({"root", "plain"})
    void worker_withoutSandbox_reachesEverything(String user) throws Exception {
        JsonNode result = server(user, "NONE");

        result.path("reached")
                .properties()
                .forEach(each -> assertTrue(each.getValue().asBoolean(), result::toPrettyString));
        assertWorks(result);
    }

    private JsonNode server(String user, String sandbox) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        List<String> command = new ArrayList<>();
        if (user.equals("plain") && SandboxProbe.isRoot()) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.setAttribute(data, "unix:uid", Integer.parseInt(PLAIN_USER));
            command.addAll(
                    List.of(
                            "setpriv",
                            "--reuid=" + PLAIN_USER,
                            "--regid=" + PLAIN_USER,
                            "--clear-groups"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Dorg.bytedeco.javacpp.cachedir=" + data.resolve("natives"));
        command.addAll(List.of("-cp", classPath(), TestSandboxServer.class.getName()));
        command.addAll(List.of(data.toString(), sandbox));
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output + Files.readString(errors));
        return new ObjectMapper().readTree(output.lines().toList().getLast());
    }

    /** Copies, which every user reads: the build's may be in a private folder. */
    private String classPath() throws Exception {
        Path copies = Files.createDirectory(folder.resolve("classes"));
        List<String> paths = new ArrayList<>();
        for (Class<?> each :
                List.of(
                        Worker.class,
                        TestWorkerMain.class,
                        ObjectMapper.class,
                        JsonParser.class,
                        JsonProperty.class,
                        LoggerFactory.class,
                        Loader.class,
                        avutil.class)) {
            Path source = codeOf(each);
            Path copy = copies.resolve(paths.size() + "-" + source.getFileName());
            copy(source, copy);
            paths.add(copy.toString());
        }
        return String.join(File.pathSeparator, paths);
    }

    private static Path codeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void copy(Path source, Path copy) throws Exception {
        List<Path> all;
        try (Stream<Path> walked = Files.walk(source)) {
            all =
                    walked.filter(each -> Files.isRegularFile(source) || isOfWorkers(source, each))
                            .toList();
        }
        for (Path each : all) {
            Path target = copy.resolve(source.relativize(each).toString());
            Files.createDirectories(target.getParent());
            if (Files.isRegularFile(each)) {
                Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Of folders with classes, three packages are needed. */
    private static boolean isOfWorkers(Path source, Path path) {
        Path name = source.relativize(path);
        return name.startsWith("touchline/media/worker")
                || name.startsWith("touchline/media/ffmpeg")
                || name.startsWith("touchline/media/store");
    }
}
