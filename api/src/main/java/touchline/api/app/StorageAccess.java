package touchline.api.app;

import touchline.api.home.HomeOperation;
import touchline.config.ServerConfig;

/** Recordings in S3, for a command: at a running server, or in this process. One thread. */
interface StorageAccess extends AutoCloseable {
    /**
     * At the server that answers, else here.
     *
     * @throws CommandException if neither works, or recordings are not in S3
     */
    static StorageAccess open(ServerOption server) {
        if (!server.hasUrl()) {
            ServerConfig config = server.config();
            if (!ServerOption.isRunning(config)) {
                return StartFailure.explained(() -> LocalStorage.open(config));
            }
        }
        return new RemoteStorage(server.client());
    }

    HomeOperation operation();

    /** Begins to upload; a server has begun at its start. */
    void startUploads();

    /**
     * @throws CommandException if the work cannot go on
     */
    void failIfLost();

    @Override
    void close();
}
