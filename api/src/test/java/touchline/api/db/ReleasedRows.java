package touchline.api.db;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import touchline.api.access.Digests;
import touchline.api.access.MasterKeys;
import touchline.api.access.RsaKeys;
import touchline.api.access.SecretBox;
import touchline.config.DatabaseConfig;

/**
 * Databases of every released schema, made by the migrations themselves, with rows of that time:
 * {@code released/V{n}.sql} has those of the tables and columns that came with migration n. A
 * migration that is added later is in the list by itself.
 */
public final class ReleasedRows {
    /** {@code auth.master-key} under which everything is sealed. */
    public static final String MASTER_KEY = Base64.getEncoder().encodeToString(new byte[32]);

    /** Credential of the token {@code tok1}. */
    public static final String TOKEN = "tok1.secret-of-token";

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Pattern PLACEHOLDER = Pattern.compile("'\\$\\{(.*?)\\}'");
    private static final int QUERIES_ARE_SEALED = 14;
    private static final SecretBox BOX =
            new SecretBox(MasterKeys.load(Optional.of(MASTER_KEY), Path.of("does-not-exist")));
    private static final String RSA = publicKey();

    private ReleasedRows() {}

    /** All versions, oldest first. */
    public static List<Integer> versions() {
        return Arrays.stream(
                        flyway().dataSource("jdbc:h2:mem:versions", "sa", "").load().info().all())
                .map(migration -> Integer.parseInt(migration.getVersion().getVersion()))
                .toList();
    }

    /** Makes the default database of a data folder. */
    public static void makeIn(Path dataDir, int version) throws SQLException {
        make(
                DatabaseAddress.of(
                        new DatabaseConfig(Optional.empty(), Optional.empty(), Optional.empty(), 2),
                        dataDir),
                version);
    }

    /**
     * @param address of an empty database
     */
    static void make(DatabaseAddress address, int version) throws SQLException {
        try (Connection connection = address.connect(PATIENCE)) {
            int _ =
                    flyway().dataSource(
                                    address.url(),
                                    address.user().orElse(""),
                                    address.password().orElse(""))
                            .target(String.valueOf(version))
                            .load()
                            .migrate()
                            .migrationsExecuted;
            try (Statement statement = connection.createStatement()) {
                for (int i = 1; i <= version; i++) {
                    for (String each : script(i, version)) {
                        statement.execute(each);
                    }
                }
                if (address.isH2()) {
                    statement.execute("SHUTDOWN");
                }
            }
        } catch (SQLException e) {
            if (!String.valueOf(e.getMessage()).contains("closed")) {
                throw e;
            }
        }
    }

    /** Adds the rows of all versions to a database of the newest. */
    static void fill(Database database) {
        List<Integer> versions = versions();
        for (int version : versions) {
            for (String statement : script(version, versions.getLast())) {
                int _ = database.with(handle -> handle.execute(statement));
            }
        }
    }

    private static FluentConfiguration flyway() {
        return Flyway.configure(ReleasedRows.class.getClassLoader())
                .locations("classpath:touchline/api/db/migration");
    }

    /** Statements of a version, as they are in a database of a later one. */
    private static List<String> script(int version, int of) {
        try (InputStream in =
                ReleasedRows.class.getResourceAsStream("released/V" + version + ".sql")) {
            if (in == null) {
                return List.of();
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.split(";\n", -1))
                    .map(each -> each.replaceAll("(?m)^--.*\n", "").strip())
                    .filter(each -> !each.isEmpty())
                    .map(each -> filled(each, of))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException("V" + version + ".sql", e);
        }
    }

    private static String filled(String statement, int of) {
        Matcher matcher = PLACEHOLDER.matcher(statement);
        return matcher.replaceAll(
                found -> Matcher.quoteReplacement("'" + value(found.group(1), of) + "'"));
    }

    private static String value(String placeholder, int of) {
        String[] words = placeholder.split(":", 3);
        return switch (words[0]) {
            case "sha256" -> Digests.sha256(words[1]);
            case "sealed" -> BOX.seal(words[2], words[1]);
            case "rsa" -> RSA;
            case "url-with-query" ->
                    of < QUERIES_ARE_SEALED
                            ? "https://example.com/first?token=old"
                            : "https://example.com/first";
            case "request-head" ->
                    "POST /first" + (of < QUERIES_ARE_SEALED ? "?token=old" : "") + " HTTP/1.1";
            default -> throw new IllegalArgumentException(placeholder);
        };
    }

    private static String publicKey() {
        return Base64.getEncoder().encodeToString(RsaKeys.next().getPublic().getEncoded());
    }
}
