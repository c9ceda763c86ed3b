package touchline.config;

import java.net.URI;

/** {@code public}: the addresses clients are told, without a trailing slash. */
public record PublicConfig(URI apiUrl, URI playbackUrl, URI rtmpUrl) {}
