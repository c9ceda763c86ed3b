package touchline.config;

/**
 * {@code jobs}: number of concurrent background jobs, in worker processes of low priority.
 *
 * @param clips cut concurrently
 * @param renditions of assets above 1080p, scaled concurrently
 */
public record JobsConfig(int clips, int renditions) {}
