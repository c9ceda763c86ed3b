package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.testing.SelfSigned;

/** The token commands against a listener that records requests and sends prepared replies. */
final class TokenCommandIT {
    private final Deque<String> answers = new ArrayDeque<>();
    private final List<String> requests = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder;
    private HttpServer server;

    TokenCommandIT() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void create_prints_onlyTheTokenOnStandardOutput() throws IOException {
        answers.add(
                "200 {\"code\":0,\"data\":{\"id\":\"t1\",\"name\":\"ci\",\"secret\":\"s3cret\"}}");

        assertEquals(
                0,
                run(
                        "create",
                        "--name",
                        "ci",
                        "--scopes",
                        "live:read,live:write",
                        "--expires",
                        "2027-01-31"));

        assertEquals("t1.s3cret" + System.lineSeparator(), out.toString());
        assertEquals(
                List.of(
                        "POST /system/v1/access-tokens Bearer admin.opensesame"
                                + " {\"name\":\"ci\",\"scopes\":[\"live:read\",\"live:write\"],"
                                + "\"expires_at\":1801353600}"),
                requests);
    }

    @Test
    void list_ofTwoPages_printsEveryToken() throws IOException {
        answers.add(
                "200 {\"code\":0,\"data\":[{\"id\":\"t2\",\"name\":\"b\",\"scopes\":[\"system\"],"
                        + "\"expires_at\":1801353600,\"last_used_at\":1801267200}],"
                        + "\"has_more\":true}");
        answers.add(
                "200 {\"code\":0,\"data\":[{\"id\":\"t1\",\"name\":\"a\",\"scopes\":[],"
                        + "\"expires_at\":null}],\"has_more\":false}");

        assertEquals(0, run("list"));

        List<String> lines =
                out.toString().lines().map(line -> line.replaceAll(" +", " ")).toList();
        assertEquals(
                List.of(
                        "ID NAME EXPIRES LAST USED SCOPES",
                        "t2 b 2027-01-31T00:00:00Z 2027-01-30T00:00:00Z system",
                        "t1 a never never "),
                lines);
        assertEquals(2, requests.size());
    }

    @Test
    void revoke_id_isEscapedInThePath() throws IOException {
        answers.add("204 ");

        assertEquals(0, run("revoke", "a/b"));

        assertEquals(
                "DELETE /system/v1/access-tokens/a%2Fb Bearer admin.opensesame ",
                requests.getFirst());
    }

    @Test
    void refusal_isPrintedWithItsFields() throws IOException {
        answers.add(
                "400 {\"code\":40002,\"message\":\"invalid parameter\",\"errors\":[{\"field\":\"scopes\","
                        + "\"reason\":\"unknown: fly\"}]}");

        assertEquals(1, run("create", "--name", "x", "--scopes", "fly"));

        assertTrue(err.toString().contains("refused: invalid parameter (40002)"), err.toString());
        assertTrue(err.toString().contains("scopes: unknown: fly"), err.toString());
        assertFalse(err.toString().contains("\tat "), err.toString());
    }

    @Test
    void server_absent_isReportedWithoutTheSecret() throws IOException {
        server.stop(0);

        assertEquals(1, run("list"));

        assertTrue(err.toString().startsWith("no server answers at http://127.0.0.1:"));
        assertFalse(err.toString().contains("opensesame"), err.toString());
    }

    @Test
    void secretFile_missing_isNamed() {
        Path file = folder.resolve("none");

        assertEquals(1, execute("list", "--secret-file", file.toString()));

        assertTrue(err.toString().startsWith(file + " cannot be read"), err.toString());
    }

    @Test
    void list_certificateOfAnotherHost_isTrustedByItsFile() throws Exception {
        SelfSigned pair = SelfSigned.make(folder, "own", "live.example");
        Path config = serveWith(pair, pair);
        answers.add("200 {\"code\":0,\"data\":[],\"has_more\":false}");
        answers.add("200 {\"code\":0,\"data\":[],\"has_more\":false}");

        assertEquals(0, execute("--config", config.toString(), "list"), err::toString);
        assertEquals(0, execute("list", "--config", config.toString()), err::toString);
    }

    @Test
    void list_certificateIsNotThatOfTheFile_isRefused() throws Exception {
        SelfSigned shown = SelfSigned.make(folder, "other", "live.example");
        SelfSigned expected = SelfSigned.make(folder, "own", "live.example");
        Path config = serveWith(shown, expected);

        assertEquals(1, execute("list", "--config", config.toString()));

        assertTrue(err.toString().contains("certificate that is not trusted"), err.toString());
        assertEquals(List.of(), requests);
    }

    /** Serves with a certificate; the configuration names another, or the same. */
    private Path serveWith(SelfSigned shown, SelfSigned configured) throws Exception {
        server.stop(0);
        HttpsServer https =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(shown.server()));
        server = https;
        start();
        String yaml =
                "api:\n  port: %d\ntls:\n  cert: %s\n  key: %s\nauth:\n  admin-secret: opensesame-123456\n";
        return Files.writeString(
                folder.resolve("touchline.yaml"),
                yaml.formatted(server.getAddress().getPort(), configured.cert(), configured.key()));
    }

    private int run(String... arguments) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "opensesame\n");
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(
                List.of(
                        "--secret-file",
                        secret.toString(),
                        "--url",
                        "http://127.0.0.1:" + server.getAddress().getPort()));
        return execute(all.toArray(String[]::new));
    }

    private int execute(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "token";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.add(
                    "%s %s %s %s"
                            .formatted(
                                    exchange.getRequestMethod(),
                                    exchange.getRequestURI().getRawPath(),
                                    exchange.getRequestHeaders().getFirst("Authorization"),
                                    new String(
                                            exchange.getRequestBody().readAllBytes(),
                                            StandardCharsets.UTF_8)));
            String answer = answers.remove();
            int status = Integer.parseInt(answer.substring(0, 3));
            byte[] body = answer.substring(4).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
