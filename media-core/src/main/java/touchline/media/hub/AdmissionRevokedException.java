package touchline.media.hub;

import java.io.Serial;
import touchline.media.StreamId;

/** The key of a publisher was replaced, or its stream disabled or deleted, during the check. */
public final class AdmissionRevokedException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final EndReason reason;

    AdmissionRevokedException(StreamId stream, EndReason reason) {
        super("stream " + stream + ": admission revoked (" + reason + ")");
        this.reason = reason;
    }

    public EndReason reason() {
        return reason;
    }
}
