package touchline.api.domain;

import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The target of transcoding outputs and notifications. Immutable.
 *
 * @param prefix of all keys, without slashes at its ends; may be empty
 * @param endpoint empty: from type and region
 * @param pathStyle whether the bucket is in the path of an address; empty: by type and endpoint
 * @param keys empty for folders only
 * @param notifyUrl receives the notification at the end of a request's tasks
 * @param notifySecret {@code whsec_…}, signs notifications; empty: the secret key does
 * @param createdAt cut to milliseconds
 */
public record OutputStorage(
        String id,
        StorageType type,
        String region,
        String bucket,
        String prefix,
        Optional<URI> endpoint,
        Optional<Boolean> pathStyle,
        Optional<StorageKeys> keys,
        URI notifyUrl,
        Optional<String> notifySecret,
        Instant createdAt) {
    private static final int RANDOM_BITS = 96;

    public OutputStorage {
        if (keys.isEmpty() && type != StorageType.FILE) {
            throw new IllegalArgumentException("storage of type " + type + " without keys");
        }
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A new identifier; not secret. */
    public static String newId() {
        return "sto_" + RandomText.ofBits(RANDOM_BITS);
    }

    /** The key of an object in the bucket. */
    public String key(String name) {
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    @Override
    public String toString() {
        return "OutputStorage[%s %s %s/%s]".formatted(id, type.wireName(), bucket, prefix);
    }
}
