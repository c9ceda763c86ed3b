package touchline.overlay.page;

import java.io.IOException;

/** The proxy refuses a connection: a status for the browser and a reason for the operator. */
final class ProxyRefusal extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    ProxyRefusal(int status, String reason) {
        super(reason);
        this.status = status;
    }

    int status() {
        return status;
    }
}
