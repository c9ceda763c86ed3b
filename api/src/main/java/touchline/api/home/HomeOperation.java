package touchline.api.home;

import java.io.IOException;

/** Port: what an operator asks of recordings in S3. Calls block; any thread. */
public interface HomeOperation {
    /** How far the uploads are. */
    HomeStatus status();

    /**
     * Compares the rows of all nodes, the indexes and the objects.
     *
     * @param orphans also objects that belong to no asset
     * @throws touchline.api.storage.StorageException if S3 does not answer; what was found so far
     *     is reported
     * @throws IOException of the report, too
     */
    Verification.Result verify(boolean orphans, Verification.Report report)
            throws IOException, InterruptedException;
}
