package touchline.config;

import java.time.Duration;

/**
 * {@code transcoding}: what transcoding to clients' storages may take.
 *
 * @param atOnce requests worked on at once; 0: by the processors of the host
 * @param maxInputBytes of a file that is fetched
 * @param timeout for one output
 */
public record TranscodingConfig(int atOnce, long maxInputBytes, Duration timeout) {}
