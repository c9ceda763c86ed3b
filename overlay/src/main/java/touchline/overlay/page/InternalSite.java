package touchline.overlay.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A web site inside this process. The proxy passes on connections to its name, without a network.
 * Called on virtual threads, one per connection.
 */
public interface InternalSite {
    /**
     * Serves one HTTP/1.1 connection until either side ends it. The caller closes both streams.
     *
     * @param streamId stream of the requesting page
     */
    void serve(String streamId, InputStream from, OutputStream to) throws IOException;
}
