package touchline.api.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;

/**
 * Serves HTTP/1.0, which the web server alone answers by closing the connection. Health checks of
 * load balancers and older reverse proxies send it. The first request line decides: a request in
 * HTTP/1.0 is given to the web server as one in HTTP/1.1, and its connection ends with the reply.
 * Any thread.
 */
final class Http10Selector {
    private static final byte LF = '\n';

    private final Http1ConnectionSelector http11;
    private final int maxLineBytes;

    /**
     * @param config of the connections that this selector creates
     */
    Http10Selector(Http1Config config) {
        this.http11 = Http1ConnectionSelector.builder().config(config).build();
        this.maxLineBytes = config.maxPrologueLength();
    }

    /** A connection whose first request line is still to come. */
    ServerConnection connection(ConnectionContext context) {
        return new Http10Connection(context, this::chosen);
    }

    /** Waits for the first request line, and creates the connection for its version. */
    private ServerConnection chosen(ConnectionContext context) {
        return http11.connection(
                startsWithHttp10(context.dataReader())
                        ? new Http10Context(context, http11.prototype().config())
                        : context);
    }

    /** Takes no byte from the reader. */
    private boolean startsWithHttp10(DataReader reader) {
        reader.ensureAvailable();
        while (true) {
            int available = reader.available();
            BufferData data = reader.getBuffer(available);
            int end = data.indexOf(LF);
            if (end >= 0) {
                return isHttp10(data.readString(end));
            }
            if (available > maxLineBytes) {
                return false;
            }
            reader.getBuffer(available + 1);
        }
    }

    private static boolean isHttp10(String line) {
        return line.stripTrailing().endsWith(" HTTP/1.0");
    }
}
