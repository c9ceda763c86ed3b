package touchline.api.storage;

import java.io.IOException;
import java.io.Serial;

/**
 * A call of a store failed. The message may be shown to the store's owner. It holds no secrets and
 * none of the store's own text.
 */
public final class StorageException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    /** The reason. */
    public enum Kind {
        /** The store rejects keys, bucket, rights or address. A retry does not help. */
        REFUSED,
        /** The store's name has no address now. It was not contacted. */
        UNRESOLVED,
        /** The store failed, or cannot be reached. */
        FAILED,
        /** The store returned other bytes than were written. */
        DAMAGED
    }

    private final Kind kind;

    /** The setting that is wrong, as the API spells it. */
    private final String setting;

    StorageException(Kind kind, String setting, String message) {
        super(message);
        this.kind = kind;
        this.setting = setting;
    }

    StorageException(Kind kind, String setting, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.setting = setting;
    }

    public Kind kind() {
        return kind;
    }

    /** Which field of the storage is most likely wrong. */
    public String setting() {
        return setting;
    }
}
