package touchline.overlay.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A web site inside this process: the proxy hands it what pages send to its name, so that it is
 * reached without any network. Called on virtual threads, one for each connection.
 */
public interface InternalSite {
    /**
     * Serves one connection (HTTP/1.1, as a server of its own would see it) until either side ends
     * it. The caller closes both streams.
     *
     * @param streamId of the page that asks
     */
    void serve(String streamId, InputStream from, OutputStream to) throws IOException;
}
