package touchline.api.db;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import touchline.config.DatabaseConfig;
import touchline.media.net.FreePorts;
import touchline.testing.Await;

/** A PostgreSQL that can be stopped, and goes on with the same rows at the same port. */
public final class StoppablePostgres implements AutoCloseable {
    private final Path folder;
    private final int port = FreePorts.next();
    private EmbeddedPostgres server;

    /**
     * Starts an empty one.
     *
     * @param folder for its files; need not exist
     */
    public StoppablePostgres(Path folder) throws IOException {
        this.folder = folder;
        server = launch();
    }

    private EmbeddedPostgres launch() throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("fsync", "off")
                .setPGStartupWait(Await.PATIENCE)
                .start();
    }

    /** Its only database. */
    public DatabaseConfig config() {
        return new DatabaseConfig(
                Optional.of("jdbc:postgresql://localhost:" + port + "/postgres"),
                Optional.of("postgres"),
                Optional.of("postgres"),
                /* maxConnections= */ 2);
    }

    /** Closes its connections and its port. */
    public void stop() throws IOException {
        server.close();
    }

    /** Starts it again. */
    public void restart() throws IOException {
        server = launch();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
