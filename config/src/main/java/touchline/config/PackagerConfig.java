package touchline.config;

import java.time.Duration;

/**
 * {@code packager}.
 *
 * @param window length of the live window, in which every viewer can seek back
 * @param lowPart target duration of a part in latency mode low, 100 ms to 1 s
 */
public record PackagerConfig(Duration window, Duration lowPart) {}
