package touchline.api.access;

import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import touchline.api.domain.SigningKey;

/**
 * The public keys that tokens may be signed with, held in memory: a request asks no database, and a
 * key that was taken out is gone for the next one. Any thread.
 */
final class VerifyingKeys {
    private final ConcurrentHashMap<String, JWSVerifier> verifiers = new ConcurrentHashMap<>();
    private final LastUses uses;

    VerifyingKeys(LastUses uses) {
        this.uses = uses;
    }

    /**
     * @throws IllegalStateException where the stored text is no RSA public key
     */
    void put(SigningKey key) {
        put(key.id(), new RSASSAVerifier(publicKey(key)));
    }

    void put(String id, JWSVerifier verifier) {
        verifiers.put(id, verifier);
    }

    void remove(String id) {
        verifiers.remove(id);
    }

    boolean holds(String id) {
        return verifiers.containsKey(id);
    }

    Optional<JWSVerifier> find(String id) {
        return Optional.ofNullable(verifiers.get(id));
    }

    /** A token of this key was accepted. Does not block. */
    void used(String id) {
        uses.note(id);
    }

    private static RSAPublicKey publicKey(SigningKey key) {
        try {
            byte[] encoded = Base64.getDecoder().decode(key.publicKey());
            return (RSAPublicKey)
                    KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalStateException("signing key " + key.id() + ": not RSA", e);
        }
    }
}
