package touchline.packager.edge;

import java.util.Map;
import java.util.Optional;
import touchline.packager.hls.MediaBlock;

/**
 * The answer of another node. Its body carries a reference that the holder releases.
 *
 * @param status of HTTP
 * @param headers by name in lower case; of several with one name the first
 */
public record UpstreamAnswer(
        int status, Map<String, String> headers, MediaBlock body, UpstreamAddress from) {
    public UpstreamAnswer {
        headers = Map.copyOf(headers);
    }

    /**
     * A header.
     *
     * @param name in lower case
     */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** One more reference to the body. */
    UpstreamAnswer retain() {
        body.retain();
        return this;
    }

    /** One reference less to the body. */
    public void release() {
        body.release();
    }
}
