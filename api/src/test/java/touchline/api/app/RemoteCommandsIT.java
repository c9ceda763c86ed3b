package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.MasterKeys;
import touchline.api.backup.BackedUpFolder;
import touchline.api.domain.AssetId;
import touchline.api.domain.FrameName;
import touchline.api.egress.RawReceiver;
import touchline.media.net.FreePorts;

/** Commands that call a running server, against a listener with prepared answers. */
final class RemoteCommandsIT {
    private static final String STATUS =
            """
            {"data": {"s3": true, "stored_assets": 5, "waiting_assets": %d, "waiting_bytes": 2000000,
              "waiting_since": 1700000000, "uploaded_files": 9, "uploaded_bytes": 1000,
              "reachable": %s, "unreadable_assets": %d, "unreadable_examples": [%s],
              "waiting_frames": %d, "unreadable_frames": %d}}
            """;

    private static Answer archive = new Answer(200, new byte[0], 0);

    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Answers, in the order of the requests; the last one is repeated. */
    private final ConcurrentLinkedDeque<Answer> answers = new ConcurrentLinkedDeque<>();

    private final RawReceiver server = new RawReceiver(this::answer);

    /**
     * @param announcedBytes of the body; more than it has: the connection ends early
     */
    private record Answer(int status, byte[] body, long announcedBytes) {}

    /** A backup as a server sends it. */
    @BeforeAll
    static void backUp(@TempDir Path folder) throws IOException {
        try (BackedUpFolder data = new BackedUpFolder(folder)) {
            byte[] sent = BackedUpFolder.written(data.backups(), /* withMedia= */ false);
            archive = new Answer(200, sent, sent.length);
        }
    }

    private boolean answer(RawReceiver.Request request, OutputStream to) throws IOException {
        Answer next = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
        RawReceiver.write(to, RawReceiver.head(next.status(), next.announcedBytes()));
        to.write(next.body());
        to.flush();
        return request.line().startsWith("GET ") && next.body().length == next.announcedBytes();
    }

    @BeforeEach
    void writeSecret() throws IOException {
        Files.writeString(folder.resolve("secret"), "opensesame\n");
        Files.writeString(folder.resolve("touchline.yaml"), "data-dir: %s\n".formatted(folder));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void answers(int status, String body) {
        answers(status, body.getBytes(StandardCharsets.UTF_8));
    }

    private void answers(int status, byte[] body) {
        answers.add(new Answer(status, body, body.length));
    }

    private int run(URI url, String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(
                List.of(
                        "--url",
                        url.toString(),
                        "--secret-file",
                        folder.resolve("secret").toString(),
                        "--config",
                        folder.resolve("touchline.yaml").toString()));
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }

    private int run(String... command) {
        return run(server.url(""), command);
    }

    private List<String> requests() {
        return server.requests().stream().map(RawReceiver.Request::line).toList();
    }

    @Test
    void upload_showsTheServersWork_untilAllIsThere() {
        answers(200, STATUS.formatted(2, true, 0, "", 1, 0));
        answers(200, STATUS.formatted(2, true, 0, "", 1, 0));
        answers(200, STATUS.formatted(1, false, 0, "", 0, 0));
        answers(200, STATUS.formatted(0, true, 0, "", 0, 0));

        assertEquals(0, run("storage", "upload"), err::toString);

        assertEquals(
                List.of(
                        "5 assets in S3, 2 wait with 2.0 MB, 1 evidence frames wait, 0.0 MB/s",
                        "all finished assets are in S3"),
                out.toString().lines().toList());
        assertEquals(
                List.of("S3 takes no files; trying on", "S3 takes files again"),
                err.toString().lines().toList());
        assertEquals(
                "Bearer admin.opensesame", server.requests().getFirst().header("Authorization"));
    }

    @Test
    void upload_filesThatCannotBeRead_areNamed() {
        AssetId asset = AssetId.create();
        answers(200, STATUS.formatted(1, true, 1, "\"" + asset + "\"", 2, 2));

        assertEquals(1, run("storage", "upload"));

        assertEquals(
                List.of(
                        asset + ": its files cannot be read on this disk",
                        "1 assets were not uploaded",
                        "2 evidence frames were not uploaded: their files cannot be read"),
                err.toString().lines().toList());
    }

    @Test
    void upload_serverWithoutS3_saysSo() {
        answers(200, "{\"data\": {\"s3\": false}}");

        assertEquals(1, run("storage", "upload"));

        assertEquals("storage.s3 is not configured at the server", err.toString().strip());
    }

    @Test
    void verify_findings_areOneALine() {
        AssetId asset = AssetId.create();
        FrameName frame = FrameName.create();
        answers(
                200,
                """
                {"type":"progress","checked":0,"assets":2}
                {"type":"missing","asset_id":"%s","file":"s0-0.m4s","reason":"not there"}
                {"type":"missing_frame","frame":"%s","reason":"other bytes"}
                {"type":"orphan","key":"live/x/","objects":3,"size_bytes":70}
                {"type":"result","assets":2,"objects":9,"size_bytes":3000000,"waiting":1,"missing":2,"orphans":1}
                """
                        .formatted(asset, frame));

        assertEquals(1, run("storage", "verify", "--orphans"));

        assertEquals(
                List.of(
                        "missing %s s0-0.m4s: not there".formatted(asset),
                        "missing evidence frame %s: other bytes".formatted(frame),
                        "orphan  live/x/: 3 objects, 70 bytes",
                        "2 assets with 9 objects and 3.0 MB; 1 wait for their upload",
                        "2 missing, 1 orphans"),
                out.toString().lines().toList());
        assertEquals("0 of 2 assets verified", err.toString().strip());
        assertEquals(List.of("POST /system/v1/storage/verify?orphans=true HTTP/1.1"), requests());
    }

    @Test
    void verify_storeThatFails_saysSo() {
        answers(200, "{\"type\":\"failed\",\"reason\":\"access denied\"}\n");

        assertEquals(1, run("storage", "verify"));

        assertEquals("S3: access denied", err.toString().strip());
    }

    @Test
    void verify_answerThatEndsEarly_pointsToTheServersLog() {
        String line = "{\"type\":\"progress\",\"checked\":1,\"assets\":2}\n";
        answers(200, line);
        assertEquals(1, run("storage", "verify"));
        assertTrue(
                err.toString().contains("ended early: java.io.IOException: no result; its log"),
                err::toString);

        answers.clear();
        answers.add(new Answer(200, line.getBytes(StandardCharsets.UTF_8), 10_000));
        err.getBuffer().setLength(0);
        assertEquals(1, run("storage", "verify"));
        assertTrue(err.toString().contains("the server's answer ended early: "), err::toString);
        assertFalse(err.toString().contains("no result"), err::toString);
    }

    @Test
    void refusal_hasMessageCodeAndFields() {
        answers(
                422,
                "{\"code\": 42201, \"message\": \"invalid\","
                        + " \"errors\": [{\"field\": \"orphans\", \"reason\": \"no flag\"}]}");

        for (String command : List.of("upload", "verify")) {
            err.getBuffer().setLength(0);
            assertEquals(1, run("storage", command));
            assertEquals(
                    List.of("refused: invalid (42201)", "  orphans: no flag"),
                    err.toString().lines().toList());
        }
    }

    @Test
    void answerThatIsNoTouchline_isExplained() {
        answers(200, "<html></html>");
        assertEquals(1, run("health"));
        assertEquals(
                "%s answered 200 without JSON: is it a Touchline server?".formatted(server.url("")),
                err.toString().strip());

        answers.clear();
        answers(503, "");
        err.getBuffer().setLength(0);
        assertEquals(1, run("health"));
        assertEquals("refused: HTTP 503 (503)", err.toString().strip());
    }

    @Test
    void noServer_isExplained() throws IOException {
        URI closed = URI.create("http://127.0.0.1:" + FreePorts.next());

        assertEquals(1, run(closed, "health"));

        assertEquals(
                "no server answers at %s: start it, or name its address with --url"
                        .formatted(closed),
                err.toString().strip());
    }

    @Test
    void connectionThatBreaks_namesTheServer() {
        answers.add(new Answer(200, new byte[0], 10));

        assertEquals(1, run("health"));

        assertTrue(err.toString().startsWith(server.url("") + ": java.io."), err::toString);
    }

    @Test
    void backup_ofPostgres_namesItsTool_andWritesOnlyMedia() throws Exception {
        String command = "{\"data\": {\"database_command\": \"pg_dump touchline\"}}";
        answers(200, command);
        Path file = folder.resolve("backup.tar");

        assertEquals(2, run("backup", file.toString()));

        assertTrue(err.toString().endsWith("  pg_dump touchline\n"), err::toString);
        assertEquals(1, requests().size());
        assertFalse(Files.exists(file));

        answers.addLast(archive);
        err.getBuffer().setLength(0);
        assertEquals(0, run("backup", file.toString(), "--with-media"), err::toString);
        assertTrue(
                err.toString().contains("has the media of that database, not its rows"),
                err::toString);
        assertEquals("POST /system/v1/backups?with_media=true HTTP/1.1", requests().getLast());
    }

    @Test
    void backup_isTheServersArchive_andSaysWhichKeysItNeeds() throws Exception {
        answers(200, "{\"data\": {}}");
        answers.add(archive);
        Path file = folder.resolve("backup.tar");

        assertEquals(0, run("backup", file.toString()), err::toString);

        List<String> lines = out.toString().lines().toList();
        assertTrue(lines.getFirst().endsWith(", without media, without keys"), out::toString);
        assertTrue(lines.get(1).startsWith("Keep the master key "), out::toString);
        assertArrayEquals(answers.getLast().body(), Files.readAllBytes(file));
    }

    @Test
    void backup_thatIsCut_writesNothing() throws Exception {
        Path file = folder.resolve("backup.tar");
        for (int announced : List.of(archive.body().length / 2, archive.body().length)) {
            answers.clear();
            answers(200, "{\"data\": {}}");
            byte[] half = Arrays.copyOf(archive.body(), archive.body().length / 2);
            answers.add(new Answer(200, half, announced));
            err.getBuffer().setLength(0);

            assertEquals(1, run("backup", file.toString()));

            assertTrue(err.toString().contains("was not written"), err::toString);
            assertFalse(Files.exists(file));
        }
    }

    @Test
    void backup_intoAFolderThatIsNotThere_writesNothing() throws Exception {
        answers(200, "{\"data\": {}}");
        answers.add(archive);
        Path file = folder.resolve("absent/backup.tar");

        assertEquals(1, run("backup", file.toString()));

        assertTrue(
                err.toString().contains("expected the name of a file in a folder that exists"),
                err::toString);
    }

    @Test
    void backup_withKeysOfAnotherServer_isRefused() throws Exception {
        Path file = folder.resolve("backup.tar");
        answers(200, "{\"data\": {}}");

        assertEquals(1, run("backup", file.toString(), "--with-keys"));
        assertTrue(
                err.toString().contains("master-key cannot be read: run this on the server's host"),
                err::toString);

        MasterKeys _ = MasterKeys.load(Optional.empty(), folder);
        answers.clear();
        answers(200, "{\"data\": {}}");
        answers.add(archive);
        err.getBuffer().setLength(0);
        assertEquals(1, run("backup", file.toString(), "--with-keys"));
        assertTrue(err.toString().contains("and the server needs "), err::toString);
        assertFalse(Files.exists(file));
    }
}
