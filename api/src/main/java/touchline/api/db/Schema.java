package touchline.api.db;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/** The schema of a database, and its migration to that of this server. Used by one thread. */
final class Schema {
    private static final String MIGRATIONS = "classpath:touchline/api/db/migration";

    /** Made by a newer server: this one has no file of it. */
    private static final Set<MigrationState> NEWER =
            EnumSet.of(MigrationState.FUTURE_SUCCESS, MigrationState.FUTURE_FAILED);

    private final DatabaseAddress address;
    private final Flyway flyway;

    Schema(DataSource pool, DatabaseAddress address) {
        this.address = address;
        this.flyway =
                Flyway.configure(Schema.class.getClassLoader())
                        .dataSource(pool)
                        .locations(MIGRATIONS)
                        .failOnMissingLocations(true)
                        .validateMigrationNaming(true)
                        .load();
    }

    /**
     * Whether a migration has been made.
     *
     * @throws DatabaseException if that cannot be read
     */
    boolean has(String name) {
        try {
            return Arrays.stream(flyway.info().applied())
                    .anyMatch(each -> name.equals(each.getDescription()));
        } catch (FlywayException e) {
            throw failure(e);
        }
    }

    /**
     * Makes the migrations that are missing.
     *
     * @throws DatabaseException if the schema is newer than this server, or a migration fails
     */
    void migrate() {
        try {
            String newer =
                    Arrays.stream(flyway.info().applied())
                            .filter(each -> NEWER.contains(each.getState()))
                            .map(Schema::versionOf)
                            .collect(Collectors.joining(", "));
            if (!newer.isEmpty()) {
                throw new DatabaseException(
                        "db.url: %s has the schema of a newer server (migration %s): start that version, or restore a backup from before its first start"
                                .formatted(address, newer));
            }
            flyway.migrate();
        } catch (FlywayException e) {
            throw failure(e);
        }
    }

    private static String versionOf(MigrationInfo migration) {
        return String.valueOf(migration.getVersion());
    }

    /** The first lines: the rest advertises options of the library. */
    private DatabaseException failure(FlywayException e) {
        String reason =
                String.valueOf(e.getMessage())
                        .lines()
                        .filter(line -> !line.isBlank())
                        .limit(3)
                        .collect(Collectors.joining(" "));
        return new DatabaseException("db.url: cannot migrate " + address + ": " + reason, e);
    }
}
