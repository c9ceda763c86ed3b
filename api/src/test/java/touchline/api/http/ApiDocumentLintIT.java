package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The served document against the recommended rules of Redocly; the launcher installs them. */
final class ApiDocumentLintIT {
    private static final Path MODULES = Path.of("..", "target", "touchline", "npm", "node_modules");

    @TempDir private Path folder;

    private record Result(int exit, String output) {}

    private Result lint(String document) throws Exception {
        assumeTrue(
                Files.isDirectory(MODULES),
                () -> MODULES + " is missing: ./touchline test installs it");
        Path file = Files.writeString(folder.resolve("openapi.yaml"), document);
        Process process =
                new ProcessBuilder(
                                "node",
                                Path.of("src", "test", "node", "lint.js").toString(),
                                MODULES.toAbsolutePath().toString(),
                                file.toString())
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    @Test
    void servedDocument_hasNoErrorAndNoWarning() throws Exception {
        String document;
        try (ApiFixture api = new ApiFixture()) {
            document = api.call("GET", "/openapi", null, java.util.Map.of()).text();
        }

        Result result = lint(document);

        assertEquals("", result.output());
        assertEquals(0, result.exit());

        Result broken = lint(document.replaceFirst("type: string, const: up", "const, typ: up"));
        assertEquals(1, broken.exit());
        assertTrue(broken.output().startsWith("error"), broken::output);
    }
}
