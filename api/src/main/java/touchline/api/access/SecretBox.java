package touchline.api.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Secrets that must be shown or used again, as text that can lie in the database: AES-256-GCM (NIST
 * SP 800-38D) under a key derived from the master key.
 *
 * <pre>v1.{master key id}.{base64url of 12 bytes nonce, ciphertext, 16 bytes tag}</pre>
 *
 * The context is authenticated with it: a sealed secret that is moved to another row does not open.
 * Nonces are random, so one master key is good for 2^32 secrets. Any thread.
 */
public final class SecretBox {
    /** Length of version and key id, with the dot between them. */
    static final int KEY_ID_END = 3 + 2 * MasterKeys.ID_BYTES;

    private static final String VERSION = "v1";
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final String currentId;
    private final Map<String, SecretKey> keys = new LinkedHashMap<>();
    private final SecureRandom random = new SecureRandom();

    public SecretBox(MasterKeys masterKeys) {
        List<MasterKeys.Derived> derived = masterKeys.derive("secrets at rest", "AES");
        this.currentId = derived.getFirst().masterId();
        derived.forEach(key -> keys.put(key.masterId(), key.key()));
    }

    /**
     * Encrypts under the current master key.
     *
     * @param context where the secret belongs, e.g. table, column and row
     */
    public String seal(String secret, String context) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] plain = secret.getBytes(StandardCharsets.UTF_8);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, currentId, nonce, context);
            ByteBuffer sealed =
                    ByteBuffer.allocate(NONCE_BYTES + cipher.getOutputSize(plain.length));
            sealed.put(nonce).put(cipher.doFinal(plain));
            return VERSION
                    + "."
                    + currentId
                    + "."
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed.array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM is part of every JDK", e);
        }
    }

    /**
     * Decrypts.
     *
     * @throws SecretException where the master key is missing, or text or context were altered
     */
    public String open(String sealed, String context) {
        String id = keyId(sealed);
        if (!keys.containsKey(id)) {
            throw new SecretException(
                    "sealed secret: under master key "
                            + id
                            + " (expected: one of "
                            + keys.keySet()
                            + ", add the missing one to "
                            + MasterKeys.FILE
                            + ")");
        }
        try {
            byte[] bytes =
                    Base64.getUrlDecoder().decode(sealed.substring(sealed.lastIndexOf('.') + 1));
            if (bytes.length < NONCE_BYTES) {
                throw new SecretException("sealed secret: too short");
            }
            byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, id, nonce, context);
            return new String(
                    cipher.doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES),
                    StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SecretException("sealed secret: altered, or from another place", e);
        }
    }

    /** Whether it is sealed with an older master key. */
    public boolean isStale(String sealed) {
        return !keyId(sealed).equals(currentId);
    }

    /** The id of the master key in the first characters of a sealed text. */
    static String keyIdAt(String beginning) {
        return keyId(beginning + ".");
    }

    private static String keyId(String sealed) {
        String[] parts = sealed.split("\\.", -1);
        if (parts.length != 3 || !parts[0].equals(VERSION)) {
            throw new SecretException("sealed secret: malformed (expected: v1.key.text)");
        }
        return parts[1];
    }

    private Cipher cipher(int mode, String id, byte[] nonce, String context)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, keys.get(id), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((VERSION + "." + id + "." + context).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
