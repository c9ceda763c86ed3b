package touchline.api.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import touchline.api.egress.Egress;
import touchline.api.storage.ObjectStorages;
import touchline.api.storage.StorageException;
import touchline.api.storage.StorageProbe;
import touchline.config.HomeConfig;
import touchline.config.ServerConfig;

/** Writes, reads and deletes a small object in the bucket of recordings. One thread. */
final class S3Checks {
    private static final String SUBJECT = "s3";

    private final Optional<HomeConfig.S3> s3;
    private final Path folder;

    /**
     * @param folder for the object before its upload
     */
    S3Checks(ServerConfig config, Path folder) {
        this.s3 = config.storage().home().s3();
        this.folder = folder;
    }

    /** Nothing without S3. */
    List<Finding> run() {
        if (s3.isEmpty()) {
            return List.of();
        }
        try (Egress egress = ServerHome.egress()) {
            new StorageProbe(new ObjectStorages(egress, Optional.empty()), folder)
                    .check(ServerHome.storage(s3.get()));
            return List.of(Finding.ok(SUBJECT, s3.get() + " can be written and read"));
        } catch (StorageException e) {
            return List.of(
                    Finding.fail(
                            SUBJECT,
                            s3.get() + ": " + e.getMessage(),
                            "see docs/storage.md for the rights that the keys need"));
        }
    }
}
