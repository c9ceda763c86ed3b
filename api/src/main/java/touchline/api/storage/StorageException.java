package touchline.api.storage;

import java.io.IOException;
import java.io.Serial;

/**
 * A store did not do what it was asked to. The message is fit to be shown to the store's owner: it
 * holds no secrets, and nothing that the store's answer said in its own words.
 */
public final class StorageException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    /** What was wrong. */
    public enum Kind {
        /** It refuses us: keys, bucket, rights, address. Trying again is of no use. */
        REFUSED,
        /** Its name has no address now, so nothing was tried. */
        UNRESOLVED,
        /** It failed, or could not be reached. */
        FAILED,
        /** What was read back is not what was written. */
        DAMAGED
    }

    private final Kind kind;

    /** The setting to blame, as the API spells it. */
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
