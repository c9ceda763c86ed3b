package touchline.config;

/**
 * {@code jobs}: how much is done at once beside live work, in worker processes of low priority.
 *
 * @param clips that are cut at once
 * @param renditions of assets above 1080p that are scaled at once
 */
public record JobsConfig(int clips, int renditions) {}
