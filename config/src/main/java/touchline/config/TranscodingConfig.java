package touchline.config;

import java.time.Duration;

/**
 * {@code transcoding}: limits of transcoding to clients' storages.
 *
 * @param atOnce maximum concurrent requests; 0 derives it from the number of processors
 * @param maxInputBytes of a downloaded input file
 * @param timeout of one output
 */
public record TranscodingConfig(int atOnce, long maxInputBytes, Duration timeout) {}
