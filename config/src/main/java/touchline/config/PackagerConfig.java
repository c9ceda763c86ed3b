package touchline.config;

import java.time.Duration;

/**
 * {@code packager}.
 *
 * @param window how much of a live stream can be rewound by all viewers
 * @param lowPart target duration of a part in latency mode low, 100 ms to 1 s
 */
public record PackagerConfig(Duration window, Duration lowPart) {}
