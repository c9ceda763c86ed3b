package touchline.config;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Where recordings and clips are kept: {@code storage.s3}, {@code storage.cache-bytes} and {@code
 * storage.delete-after}.
 *
 * @param s3 empty: on the disk only
 * @param cacheBytes of local files that are in S3 as well; 0: no limit
 * @param deleteAfter how long the objects of a deleted asset stay
 */
public record HomeConfig(Optional<S3> s3, long cacheBytes, Duration deleteAfter) {
    /** On the disk only. */
    public static final HomeConfig LOCAL = new HomeConfig(Optional.empty(), 0, Duration.ofHours(1));

    /**
     * A bucket.
     *
     * @param endpoint empty: Amazon's in the region
     * @param prefix without slashes at its ends; may be empty
     * @param region may be empty with an endpoint
     * @param accessKey secret
     * @param secretKey secret
     * @param pathStyle empty: by the endpoint
     * @param parallel uploads of finished recordings at once, as many of running ones, and as many
     *     downloads
     * @param tails whether each segment of a running recording is uploaded on its own
     * @param finishAfter a node must be gone for this long before another one finishes its
     *     recordings
     * @param continueWithin how long a session that goes on at another node waits for its recording
     */
    public record S3(
            Optional<URI> endpoint,
            String bucket,
            String prefix,
            String region,
            String accessKey,
            String secretKey,
            Optional<Boolean> pathStyle,
            int parallel,
            boolean tails,
            Duration finishAfter,
            Duration continueWithin) {
        @Override
        public String toString() {
            return "S3[%s %s/%s]"
                    .formatted(endpoint.map(URI::toString).orElse(region), bucket, prefix);
        }
    }
}
