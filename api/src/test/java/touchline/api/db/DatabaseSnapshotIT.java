package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.DatabaseConfig;

final class DatabaseSnapshotIT {
    private static final DatabaseConfig DEFAULT =
            new DatabaseConfig(
                    Optional.empty(), Optional.empty(), Optional.empty(), /* maxConnections= */ 4);

    private static final String NO_LEASE =
            "UPDATE server_lease SET incarnation = 0, beats = 0, lease_until_ms = 0,"
                    + " since_ms = 0, name = '', process = ''";

    @TempDir private Path from;
    @TempDir private Path to;

    private static Map<String, byte[]> texts(DatabaseSnapshot snapshot) throws IOException {
        Map<String, byte[]> texts = new LinkedHashMap<>();
        for (String table : snapshot.tables()) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            long rows = snapshot.write(table, text);
            assertEquals(rows + 1, text.toString(StandardCharsets.UTF_8).lines().count(), table);
            texts.put(table, text.toByteArray());
        }
        return texts;
    }

    private void restore(List<String> migrations, Map<String, byte[]> texts) throws IOException {
        try (DatabaseImport made = DatabaseImport.create(to, migrations)) {
            for (Map.Entry<String, byte[]> table : texts.entrySet()) {
                long _ = made.load(table.getKey(), new ByteArrayInputStream(table.getValue()));
            }
            made.check();
        }
    }

    /** Rows, tables, and the numbers that the database gives next, without times of migrations. */
    private static List<String> contents(Database database) {
        return DatabaseDump.of(database)
                .lines()
                .filter(line -> !line.matches("\\(-?\\d+, ('\\d+'|NULL), .*"))
                .filter(line -> !line.startsWith("CREATE USER"))
                // The last row of a table has another end, and rows have no order.
                .map(line -> line.replaceAll("[,;]$", ""))
                .sorted()
                .toList();
    }

    @Test
    void snapshot_ofEveryTable_isRestoredRowByRow() throws IOException {
        List<String> before;
        List<String> migrations;
        Map<String, byte[]> texts;
        try (Database database = Database.open(DEFAULT, from)) {
            ReleasedRows.fill(database);
            // It belongs to a process, and is not part of a backup.
            int _ = database.with(handle -> handle.execute(NO_LEASE));
            before = contents(database);
            try (DatabaseSnapshot snapshot = database.snapshot()) {
                migrations = snapshot.migrations();
                texts = texts(snapshot);
            }
        }
        restore(migrations, texts);

        try (Database restored = Database.open(DEFAULT, to)) {
            List<String> after = new ArrayList<>(contents(restored));
            List<String> lost = new ArrayList<>(before);
            lost.removeAll(after);
            after.removeAll(before);
            assertEquals(List.of(), lost);
            assertEquals(List.of(), after);
        }
    }

    /** Writers change two tables in one transaction; a snapshot never has one change alone. */
    @Test
    void snapshot_whileOthersWrite_isOfOneMoment() throws Exception {
        try (Database database = Database.open(DEFAULT, from)) {
            ReleasedRows.fill(database);
            AtomicBoolean over = new AtomicBoolean();
            CountDownLatch written = new CountDownLatch(20);
            both(database, 0);
            Thread writer =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (int i = 1; !over.get(); i++) {
                                            both(database, i);
                                            written.countDown();
                                        }
                                    });
            written.await();
            for (int i = 0; i < 20; i++) {
                try (DatabaseSnapshot snapshot = database.snapshot()) {
                    Map<String, byte[]> texts = texts(snapshot);
                    assertEquals(number("scoreboards", texts), number("event_streams", texts));
                }
            }
            over.set(true);
            writer.join();
        }
    }

    private static void both(Database database, int number) {
        database.transact(
                () -> {
                    database.with(
                            handle ->
                                    handle.execute(
                                            "UPDATE event_streams SET last_seq = ? WHERE stream_id = 'str_first'",
                                            number));
                    database.with(
                            handle ->
                                    handle.execute(
                                            "UPDATE scoreboards SET state = ?",
                                            String.valueOf(number)));
                });
    }

    /** What the writer has put into the row of the first stream. */
    private static String number(String table, Map<String, byte[]> texts) {
        String text = new String(texts.get(table), StandardCharsets.UTF_8);
        return text.lines()
                .filter(line -> line.startsWith("[\"str_first\""))
                .findFirst()
                .orElseThrow(() -> new AssertionError(text))
                .replaceAll("[^0-9]", "");
    }

    @Test
    void migrations_ofANewerServer_areRefused() {
        String message =
                assertThrows(
                                DatabaseException.class,
                                () -> DatabaseImport.create(to, List.of("1", "9000")))
                        .getMessage();

        assertTrue(String.valueOf(message).contains("migration 9000; this build knows"), message);
    }

    @Test
    void rows_thatAreNone_areRefused() throws IOException {
        try (DatabaseImport made = DatabaseImport.create(to, List.of("1"))) {
            for (String text :
                    List.of(
                            "",
                            "{",
                            "[]",
                            "{\"table\":\"no_table\",\"columns\":[\"id\"]}",
                            "{\"table\":\"live_streams\",\"columns\":[\"id\"]}",
                            "{\"table\":\"access_tokens\",\"columns\":[\"no_column\"]}",
                            "{\"table\":\"access_tokens\",\"columns\":[]}",
                            "{\"table\":\"access_tokens\",\"columns\":[\"id\"]}\n[\"a\",\"b\"]",
                            "{\"table\":\"access_tokens\",\"columns\":[\"id\"]}\n[\"a\"]",
                            "{\"table\":\"access_tokens\",\"columns\":[\"id\"]}\n{\"id\":1}")) {
                assertThrows(
                        BadRowsException.class,
                        () ->
                                made.load(
                                        "access_tokens",
                                        new ByteArrayInputStream(
                                                text.getBytes(StandardCharsets.UTF_8))),
                        text);
            }
        }
    }

    @Test
    void row_thatRefersToNone_isRefused() throws IOException {
        String key =
                "{\"table\":\"playback_ids\",\"columns\":[\"id\",\"stream_id\",\"policy\",\"place\"]}\n"
                        + "[\"p\",\"gone\",\"public\",0]";
        try (DatabaseImport made = DatabaseImport.create(to, List.of("1"))) {
            long _ =
                    made.load(
                            "playback_ids",
                            new ByteArrayInputStream(key.getBytes(StandardCharsets.UTF_8)));

            assertThrows(BadRowsException.class, made::check);
        }
    }
}
