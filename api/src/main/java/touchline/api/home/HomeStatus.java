package touchline.api.home;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import touchline.api.domain.AssetId;

/**
 * How far the recordings and evidence frames of this server are in S3. Immutable.
 *
 * @param storedAssets finished assets with all files in S3; in a cluster those of this node
 * @param waitingAssets finished assets with files that are not in S3
 * @param waitingBytes of all files of these, and of full files and complete segments of running
 *     recordings
 * @param oldest end of the one that waits for the longest time; empty where none waits
 * @param uploadedFiles since the start, evidence frames too
 * @param uploadedBytes since the start
 * @param reachable whether the last uploads succeeded
 * @param unreadable finished assets that wait because files of theirs cannot be read
 * @param examples some of these
 * @param waitingFrames evidence frames of this node that are not in S3
 * @param unreadableFrames those of them whose files cannot be read
 */
public record HomeStatus(
        long storedAssets,
        long waitingAssets,
        long waitingBytes,
        Optional<Instant> oldest,
        long uploadedFiles,
        long uploadedBytes,
        boolean reachable,
        long unreadable,
        List<AssetId> examples,
        long waitingFrames,
        long unreadableFrames) {
    public HomeStatus {
        examples = List.copyOf(examples);
    }
}
