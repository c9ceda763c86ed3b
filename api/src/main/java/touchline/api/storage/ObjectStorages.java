package touchline.api.storage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import touchline.api.domain.OutputStorage;
import touchline.api.egress.Egress;
import touchline.api.egress.EgressLimits;
import touchline.api.storage.StorageException.Kind;

/** Opens the stores of clients. Any thread; the caller closes the result. */
public final class ObjectStorages {
    private static final EgressLimits PATIENT =
            new EgressLimits(Duration.ofSeconds(30), Duration.ofMinutes(10), Long.MAX_VALUE);
    private static final EgressLimits BRIEF =
            new EgressLimits(Duration.ofSeconds(5), Duration.ofSeconds(10), Long.MAX_VALUE);
    private static final int PATIENT_TRIES = 5;
    private static final int BRIEF_TRIES = 2;

    private final Egress egress;
    private final Optional<Path> fileRoot;

    /**
     * @param fileRoot the parent folder of storages of type file; empty rejects them
     */
    public ObjectStorages(Egress egress, Optional<Path> fileRoot) {
        this.egress = egress;
        this.fileRoot = fileRoot;
    }

    /** For uploads: with long limits and several tries. */
    public ObjectStorage open(OutputStorage storage) throws StorageException {
        return open(storage, PATIENT, PATIENT_TRIES);
    }

    /** For a check while a client waits: with short limits. */
    ObjectStorage openBriefly(OutputStorage storage) throws StorageException {
        return open(storage, BRIEF, BRIEF_TRIES);
    }

    /** For recordings: with long limits and several tries. */
    public ObjectBucket openBucket(OutputStorage storage) {
        return new S3ObjectBucket(
                S3Clients.openUnsigned(storage, egress.forAws(PATIENT), PATIENT_TRIES),
                storage.bucket());
    }

    /**
     * @param limits of each call
     * @param tries of each call, the first included
     */
    ObjectStorage open(OutputStorage storage, EgressLimits limits, int tries)
            throws StorageException {
        return switch (storage.type()) {
            case OSS, S3 ->
                    new S3ObjectStorage(
                            S3Clients.open(storage, egress.forAws(limits), tries),
                            storage.bucket());
            case FILE ->
                    new FileObjectStorage(
                            fileRoot.orElseThrow(
                                    () ->
                                            new StorageException(
                                                    Kind.REFUSED,
                                                    "type",
                                                    "this server has no folder for storages of type"
                                                            + " file (storage.file-root)")),
                            storage.bucket());
        };
    }
}
