package touchline.api.db;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import touchline.config.DatabaseConfig;

/**
 * The address and dialect of the database. Immutable; toString contains no credentials.
 *
 * @param url JDBC address, with the settings this server needs
 */
record DatabaseAddress(Kind kind, String url, Optional<String> user, Optional<String> password) {
    private enum Kind {
        H2,
        POSTGRESQL
    }

    private static final String H2 = "jdbc:h2:";
    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final int LOCK_TIMEOUT_MS = 10_000;

    /**
     * {@code WRITE_DELAY=0}: a commit is in the file before it returns, so that killing the server
     * loses none (the default holds them back for 500 ms). {@code RETENTION_TIME}: superseded data
     * may be overwritten after a second. Otherwise the file would grow by 12 KiB a commit for 45 s
     * and never shrink. {@code retry:}: an interrupted thread does not close the file for other
     * threads. No trace file: it would contain values.
     */
    private static final String H2_SETTINGS =
            ";DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0;RETENTION_TIME=1000;TRACE_LEVEL_FILE=0";

    static DatabaseAddress of(DatabaseConfig config, Path dataDir) {
        if (config.url().isEmpty()) {
            return new DatabaseAddress(
                    Kind.H2,
                    H2 + "retry:" + file(dataDir) + H2_SETTINGS,
                    Optional.of("sa"),
                    Optional.of(""));
        }
        String url = config.url().get();
        if (url.startsWith(POSTGRESQL)) {
            // Details of a failing row would show its values.
            String separator = url.contains("?") ? "&" : "?";
            String settings = separator + "logServerErrorDetail=false&ApplicationName=touchline";
            return new DatabaseAddress(
                    Kind.POSTGRESQL, url + settings, config.user(), config.password());
        }
        if (url.startsWith(H2)) {
            return new DatabaseAddress(
                    Kind.H2, url + H2_SETTINGS, config.user(), config.password());
        }
        throw new DatabaseException(
                "db.url: " + withoutCredentials(url) + " (expected: " + POSTGRESQL + "//...)");
    }

    private static Path file(Path dataDir) {
        Path file = dataDir.toAbsolutePath().normalize().resolve("touchline");
        if (file.toString().indexOf(';') >= 0) {
            throw new DatabaseException("data-dir: " + dataDir + " (expected: no semicolon)");
        }
        try {
            if (!Files.isDirectory(dataDir)) {
                Files.createDirectories(
                        dataDir,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            }
        } catch (IOException e) {
            throw new DatabaseException("data-dir: cannot make " + dataDir + ": " + e, e);
        }
        return file;
    }

    /**
     * Opens a connection outside of the pool; the caller closes it.
     *
     * @param patience limit of the connection and of each answer (PostgreSQL)
     */
    Connection connect(Duration patience) throws SQLException {
        Properties properties = new Properties();
        user().ifPresent(user -> properties.setProperty("user", user));
        password().ifPresent(password -> properties.setProperty("password", password));
        if (kind == Kind.POSTGRESQL) {
            String seconds = String.valueOf(patience.toSeconds());
            properties.setProperty("connectTimeout", seconds);
            properties.setProperty("loginTimeout", seconds);
            properties.setProperty("socketTimeout", seconds);
        }
        return DriverManager.getConnection(url, properties);
    }

    boolean isH2() {
        return kind == Kind.H2;
    }

    /**
     * The line for {@code pg_dump}: host, port and name of the address, and the user. Parameters of
     * the driver are not those of libpq, and may hold a password: they are left out.
     */
    String dumpCommand() {
        String target = withoutCredentials(url.substring("jdbc:".length()));
        return "pg_dump --format=custom --file=touchline.dump%s --dbname=%s"
                .formatted(user.map(name -> " --username=" + word(name)).orElse(""), word(target));
    }

    /** As one word of a shell. */
    private static String word(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    String driver() {
        return switch (kind) {
            case H2 -> "org.h2.Driver";
            case POSTGRESQL -> "org.postgresql.Driver";
        };
    }

    /** Limits the time that a statement waits for a lock. */
    String lockTimeoutSql() {
        return switch (kind) {
            case H2 -> "SET LOCK_TIMEOUT " + LOCK_TIMEOUT_MS;
            case POSTGRESQL -> "SET lock_timeout = " + LOCK_TIMEOUT_MS;
        };
    }

    @Override
    public String toString() {
        return withoutCredentials(url);
    }

    /** Parameters and user information may hold a password. */
    private static String withoutCredentials(String url) {
        String text = url.replaceAll("[?;].*", "");
        return text.replaceAll("//[^/@]*@", "//");
    }
}
