package touchline.api.db;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;

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

    /**
     * Makes the migrations of an empty database up to the newest of these.
     *
     * @throws DatabaseException if this server lacks one of them, or a migration fails
     */
    void migrateTo(Collection<String> versions) {
        try {
            Set<String> known =
                    Arrays.stream(flyway.info().all())
                            .map(Schema::versionOf)
                            .collect(Collectors.toSet());
            String newer =
                    versions.stream()
                            .filter(each -> !known.contains(each))
                            .collect(Collectors.joining(", "));
            if (!newer.isEmpty()) {
                throw new DatabaseException(
                        "its schema is of a newer server (migration %s; this build knows those up to %s): restore it with that version"
                                .formatted(newer, newest(known)));
            }
            Flyway.configure(Schema.class.getClassLoader())
                    .configuration(flyway.getConfiguration())
                    .target(newest(versions))
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw failure(e);
        }
    }

    private static MigrationVersion newest(Collection<String> versions) {
        return versions.stream()
                .map(MigrationVersion::fromVersion)
                .max(Comparator.naturalOrder())
                .orElse(MigrationVersion.EMPTY);
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
