package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import touchline.media.transcode.TranscodeRequest;

/**
 * One output of a transcoding request. Immutable.
 *
 * @param requestId shared by the tasks of one request
 * @param input an address, or {@code asset:} and an id, as the client wrote it
 * @param fileName of the file that a player opens, below the task's folder
 * @param output bucket and key of that file
 * @param createdAt cut to milliseconds
 */
public record TranscodingTask(
        String id,
        String requestId,
        String storageId,
        String input,
        TranscodeRequest request,
        String fileName,
        String output,
        TaskStatus status,
        Instant createdAt) {
    private static final int RANDOM_BITS = 96;

    public TranscodingTask {
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A new identifier; not secret. */
    public static String newId() {
        return "task_" + RandomText.ofBits(RANDOM_BITS);
    }

    public TranscodingTask with(TaskStatus newStatus) {
        return new TranscodingTask(
                id, requestId, storageId, input, request, fileName, output, newStatus, createdAt);
    }
}
