package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import touchline.moderation.DemoModels;

/** The model commands: one calls a server, the other runs PyTorch in this process. */
final class ModelCommandIT {
    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void check_goodModel_printsShapesSpeedAndDetections() {
        Path model = DemoModels.WEAPON.write(folder);

        assertEquals(0, run("check", model.toString()), err::toString);
        String text = out.toString();
        assertTrue(text.contains("model     demo-weapon (a demo)"), text);
        assertTrue(text.contains("serves    weapon"), text);
        assertTrue(text.contains("input     [1, 3, 256, 256] float32"), text);
        assertTrue(text.contains("answer    [1, 5, 1]"), text);
        assertTrue(text.matches("(?s).*speed     \\d+\\.\\d ms a frame.*"), text);
        assertTrue(
                text.matches(
                        "(?s).*cyan rectangle on grey, 1280x720\n"
                                + "  weapon   1.0000 at \\[0.25., 0.2[45]., 0.50., 0.50.\\].*"),
                text);
        assertTrue(text.contains("tiny, 16x16\n"), text);
        assertTrue(text.contains("large, 4096x2160\n"), text);
    }

    @Test
    void check_brokenModel_namesTheReason() throws IOException {
        Path model = DemoModels.WEAPON.write(folder);
        Path yaml = model.resolve("model.yaml");
        Files.writeString(yaml, Files.readString(yaml).replace("width: 256", "width: 8"));

        assertEquals(1, run("check", model.toString()));
        assertEquals(
                model + ": model.yaml: input.width: 8 (expected: 16 to 4096)\n", err.toString());
    }

    @Test
    void check_missingFolder_isReported() {
        Path none = folder.resolve("none");

        assertEquals(1, run("check", none.toString()));
        assertEquals(none + ": model.yaml cannot be read (NoSuchFileException)\n", err.toString());
    }

    @Test
    void list_printsWhatTheServerSays() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/audit/v1/models",
                exchange -> {
                    byte[] body =
                            """
                            {"code": 0, "message": "success", "data": [
                              {"name": "demo-weapon", "alert_types": ["weapon"], "demo": true,
                               "licence": "Apache-2.0", "state": "ready", "reason": null},
                              {"name": "guns", "alert_types": [], "demo": false,
                               "licence": "", "state": "broken", "reason": "no such file"}]}
                            """
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().add("Content-Type", "application/json");
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        try {
            Path secret = Files.writeString(folder.resolve("secret"), "s3cret");
            String url = "http://127.0.0.1:" + server.getAddress().getPort();

            assertEquals(
                    0,
                    run("list", "--url", url, "--secret-file", secret.toString()),
                    err::toString);
            assertEquals(
                    """
                    NAME                     SERVES         STATE    LICENCE
                    demo-weapon              weapon         ready    Apache-2.0 (a demo, no moderation)
                    guns                                    broken
                                              -> no such file
                    """,
                    out.toString());
        } finally {
            server.stop(0);
        }
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "model";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        CommandLine commands = Main.commandLine();
        commands.setOut(new PrintWriter(out));
        commands.setErr(new PrintWriter(err));
        return commands.execute(all);
    }
}
