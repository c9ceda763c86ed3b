package touchline.config;

/**
 * {@code overlay.page-*}: what one page may take before it is ended and loaded anew.
 *
 * @param memoryBytes of its process
 * @param cpuPercent of one core, over ten seconds
 * @param bytesPerMinute received and sent, in any one minute
 * @param connections at once
 */
public record PageLimits(long memoryBytes, int cpuPercent, long bytesPerMinute, int connections) {}
