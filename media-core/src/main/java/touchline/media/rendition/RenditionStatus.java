package touchline.media.rendition;

import java.util.Optional;

/**
 * A rendition of a session. Immutable, any thread.
 *
 * @param codecs RFC 6381 text; empty before the first frame
 * @param running false: dropped because of load
 */
public record RenditionStatus(RenditionFormat format, Optional<String> codecs, boolean running) {}
