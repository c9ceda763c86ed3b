package touchline.config;

/**
 * {@code overlay.page-*}: resource limits of one page. A page above a limit is closed and reloaded.
 *
 * @param memoryBytes memory of its process
 * @param cpuPercent of one core, averaged over ten seconds
 * @param bytesPerMinute received and sent, in any one minute
 * @param connections maximum concurrent connections
 */
public record PageLimits(long memoryBytes, int cpuPercent, long bytesPerMinute, int connections) {}
