package touchline.api.access;

import touchline.api.db.StreamKeyVault;
import touchline.api.domain.PushRole;
import touchline.api.domain.RandomText;
import touchline.media.StreamId;

/**
 * Push keys: made, looked up by hash, stored sealed because the API shows them again to {@code
 * live:write}. The hash is plain SHA-256: a key has 190 random bits, so there is nothing to guess,
 * and the hash stays the same when the master key changes. Any thread.
 */
public final class StreamKeys implements StreamKeyVault {
    private static final int RANDOM_BITS = 190;

    private final SecretBox box;

    public StreamKeys(SecretBox box) {
        this.box = box;
    }

    /** A new key: letters and digits, unguessable. */
    public static String create() {
        return RandomText.ofBits(RANDOM_BITS);
    }

    @Override
    public String lookupHash(String streamKey) {
        return Digests.sha256(streamKey);
    }

    @Override
    public String seal(String streamKey, StreamId stream, PushRole role) {
        return box.seal(streamKey, context(stream, role));
    }

    @Override
    public String open(String sealed, StreamId stream, PushRole role) {
        return box.open(sealed, context(stream, role));
    }

    @Override
    public boolean isStale(String sealed) {
        return box.isStale(sealed);
    }

    private static String context(StreamId stream, PushRole role) {
        return "stream key " + role.name() + " of " + stream.value();
    }
}
