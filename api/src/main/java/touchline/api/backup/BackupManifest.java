package touchline.api.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a backup is of. Its first entry, as JSON. Immutable.
 *
 * @param touchline version of the server
 * @param createdAt of the database's snapshot
 * @param database whether it has the rows of the database; PostgreSQL is backed up by its own tool
 * @param migrations of the database's schema, oldest first
 * @param masterKeys ids of the keys that the server needs, its current one first; not secret
 * @param rows how many each table has
 * @param media whether it has recordings, clips and evidence frames
 * @param mediaBytes about as many as the files of all assets have
 */
public record BackupManifest(
        String touchline,
        Instant createdAt,
        boolean database,
        List<String> migrations,
        List<String> masterKeys,
        Map<String, Long> rows,
        boolean media,
        long mediaBytes) {
    static final String FORMAT = "touchline-backup";

    /** Of the archive. A reader refuses a greater one. */
    static final int FORMAT_VERSION = 1;

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public BackupManifest {
        migrations = List.copyOf(migrations);
        masterKeys = List.copyOf(masterKeys);
        rows = Collections.unmodifiableMap(new LinkedHashMap<>(rows));
    }

    /** The newest migration: the version of the schema. */
    public String schema() {
        return migrations.isEmpty() ? "none" : migrations.getLast();
    }

    BackupManifest withRows(Map<String, Long> counted) {
        return new BackupManifest(
                touchline, createdAt, database, migrations, masterKeys, counted, media, mediaBytes);
    }

    byte[] json() throws IOException {
        ObjectNode json = JSON.createObjectNode();
        json.put("format", FORMAT);
        json.put("format_version", FORMAT_VERSION);
        json.put("touchline", touchline);
        json.put("created_at", createdAt.toString());
        json.put("database", database ? "rows" : "postgresql");
        json.put("schema", schema());
        migrations.forEach(json.putArray("migrations")::add);
        masterKeys.forEach(json.putArray("master_key_ids")::add);
        ObjectNode tables = json.putObject("rows");
        rows.forEach(tables::put);
        json.put("media", media);
        json.put("media_bytes", mediaBytes);
        return (JSON.writeValueAsString(json) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * @throws DamagedArchiveException if it is none, or of a newer format
     */
    static BackupManifest parse(byte[] text) throws IOException {
        JsonNode json;
        try {
            json = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new DamagedArchiveException(ArchiveNames.MANIFEST + ": no JSON", e);
        }
        int version = json.path("format_version").asInt();
        if (!json.path("format").asText().equals(FORMAT) || version < 1) {
            throw new DamagedArchiveException(ArchiveNames.MANIFEST + ": not of a backup");
        }
        if (version > FORMAT_VERSION) {
            throw new DamagedArchiveException(
                    "has format %d (expected: <= %d): restore it with Touchline %s or newer"
                            .formatted(version, FORMAT_VERSION, json.path("touchline").asText()));
        }
        Map<String, Long> rows = new LinkedHashMap<>();
        json.path("rows")
                .properties()
                .forEach(table -> rows.put(table.getKey(), table.getValue().asLong()));
        try {
            return new BackupManifest(
                    json.path("touchline").asText(),
                    Instant.parse(json.path("created_at").asText()),
                    json.path("database").asText().equals("rows"),
                    texts(json.path("migrations")),
                    texts(json.path("master_key_ids")),
                    rows,
                    json.path("media").asBoolean(),
                    json.path("media_bytes").asLong());
        } catch (DateTimeException e) {
            throw new DamagedArchiveException(ArchiveNames.MANIFEST + ": created_at", e);
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }
}
