package touchline.ingest.rtmp;

import java.io.Serial;

/**
 * A publish to another server failed. The message is for the operator: it names the reason and
 * holds no stream key.
 */
public final class RtmpPushException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    /**
     * @param reason for the operator; no stream key
     */
    public RtmpPushException(String reason) {
        super(reason);
    }

    /** For the operator. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
