package touchline.api.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;

/** A call to another node of the cluster failed. */
public final class NodeCallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean refused;
    private final boolean sent;

    NodeCallException(String message, IOException cause) {
        super(message + ": " + cause, cause);
        this.refused = cause instanceof ConnectException;
        this.sent = !refused && !(cause instanceof HttpConnectTimeoutException);
    }

    NodeCallException(String message) {
        super(message);
        this.refused = false;
        this.sent = true;
    }

    /** Whether the node may have received the call. */
    public boolean wasSent() {
        return sent;
    }

    /** Whether nothing listens there: the process has ended. False also when it did not answer. */
    public boolean isRefused() {
        return refused;
    }
}
