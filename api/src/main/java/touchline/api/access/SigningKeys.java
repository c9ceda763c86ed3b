package touchline.api.access;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import touchline.api.db.SigningKeyRepository;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.SigningKey;

/**
 * Makes signing keys, stores their public halves, and keeps what {@link ViewerAccess} verifies with
 * in step with the database. Calls block; any thread.
 */
public final class SigningKeys {
    /** More than any rotation needs; all of them are held in memory. */
    public static final int MAX_KEYS = 1_000;

    private static final int MODULUS_BITS = 2048;
    private static final Base64.Encoder PEM_LINES =
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    /**
     * A new key with its private half, which is shown once and not stored.
     *
     * @param privateKey base64 of the PEM text of a PKCS#8 key (RFC 7468, 10)
     */
    public record Minted(SigningKey key, String privateKey) {
        @Override
        public String toString() {
            return "Minted[key=" + key + ", privateKey=masked]";
        }
    }

    private final SigningKeyRepository repository;
    private final InstantSource clock;
    private final Supplier<KeyPair> pairs;
    private final LastUses uses;
    private final VerifyingKeys verifying;

    /** Finding primes takes a tenth of a second of CPU: one key at a time. */
    private final ReentrantLock making = new ReentrantLock();

    /** Held from counting the keys until one more is stored. */
    private final ReentrantLock storing = new ReentrantLock();

    /** Held from reading the database until memory says the same. */
    private final ReentrantLock refreshing = new ReentrantLock();

    /** Reads all keys. */
    public SigningKeys(SigningKeyRepository repository, InstantSource clock) {
        this(repository, clock, SigningKeys::newPair);
    }

    /**
     * The same with other pairs of RSA keys.
     *
     * @param pairs called by one thread at a time
     */
    public SigningKeys(
            SigningKeyRepository repository, InstantSource clock, Supplier<KeyPair> pairs) {
        this.repository = repository;
        this.clock = clock;
        this.pairs = pairs;
        this.uses = new LastUses(repository::used, clock);
        this.verifying = new VerifyingKeys(uses);
        repository.all().forEach(verifying::put);
    }

    /** A new key. Takes time, and reaches nothing: call it outside of a transaction. */
    public Minted generate() {
        making.lock();
        try {
            KeyPair pair = pairs.get();
            String publicKey = Base64.getEncoder().encodeToString(pair.getPublic().getEncoded());
            return new Minted(
                    new SigningKey(
                            SigningKey.newId(), publicKey, clock.instant(), Optional.empty()),
                    privateKey(pair.getPrivate()));
        } finally {
            making.unlock();
        }
    }

    /**
     * Stores a new key. Call {@link #refresh} once the transaction around this call, if there is
     * one, has been committed.
     *
     * @return false where there are {@link #MAX_KEYS} already
     */
    public boolean store(Minted minted) {
        storing.lock();
        try {
            if (repository.count() >= MAX_KEYS) {
                return false;
            }
            repository.create(minted.key());
            return true;
        } finally {
            storing.unlock();
        }
    }

    /** What is stored of this key counts from now on. */
    public void refresh(String id) {
        refreshing.lock();
        try {
            repository.find(id).ifPresentOrElse(verifying::put, () -> verifying.remove(id));
        } finally {
            refreshing.unlock();
        }
    }

    /**
     * Everything that the key has signed, and every grant given for it, is refused when this
     * returns.
     *
     * @return false where there is no such key
     */
    public boolean delete(String id) {
        boolean deleted = repository.delete(id);
        refresh(id);
        return deleted;
    }

    /** Newest first, stable. */
    public Page<SigningKey> list(PageRequest request) {
        return repository.list(request).map(this::withLastUse);
    }

    public Optional<SigningKey> find(String id) {
        return repository.find(id).map(this::withLastUse);
    }

    /** Stores when keys were last used. */
    public void writeUses() {
        uses.write();
    }

    private SigningKey withLastUse(SigningKey key) {
        return key.usedAt(uses.of(key.id(), key.lastUsedAt()));
    }

    VerifyingKeys verifying() {
        return verifying;
    }

    static KeyPair newPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(MODULUS_BITS);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("RSA is part of every JDK", e);
        }
    }

    private static String privateKey(PrivateKey key) {
        String pem =
                "-----BEGIN PRIVATE KEY-----\n"
                        + PEM_LINES.encodeToString(key.getEncoded())
                        + "\n-----END PRIVATE KEY-----\n";
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }
}
