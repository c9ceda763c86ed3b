package touchline.api.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import touchline.api.domain.SigningKey;

/** Makes tokens by hand, good ones and bad ones, without a library that would mind. */
public final class TokenForge {
    private final String keyId;
    private final PrivateKey privateKey;
    private final PublicKey publicKey;

    private TokenForge(String keyId, KeyPair pair) {
        this.keyId = keyId;
        this.privateKey = pair.getPrivate();
        this.publicKey = pair.getPublic();
    }

    /** With a key of its own. */
    public static TokenForge create(String keyId) {
        return new TokenForge(keyId, RsaKeys.next());
    }

    /** With a key as the API answers it. */
    public static TokenForge of(String keyId, String privateKeyText) {
        String pem = new String(Base64.getDecoder().decode(privateKeyText), UTF_8);
        byte[] encoded = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        try {
            return new TokenForge(keyId, RsaKeys.of(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As a server holds it. */
    SigningKey stored() {
        String encoded = Base64.getEncoder().encodeToString(publicKey.getEncoded());
        return new SigningKey(keyId, encoded, Instant.EPOCH, Optional.empty());
    }

    String keyId() {
        return keyId;
    }

    byte[] publicDer() {
        return publicKey.getEncoded();
    }

    String publicPem() {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(publicDer())
                + "\n-----END PUBLIC KEY-----\n";
    }

    String header() {
        return "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + keyId + "\"}";
    }

    static String claims(String playbackId, long expiresAt, String... more) {
        StringBuilder json = new StringBuilder("{\"sub\":\"").append(playbackId);
        json.append("\",\"aud\":\"v\",\"exp\":").append(expiresAt);
        for (String member : more) {
            json.append(',').append(member);
        }
        return json.append('}').toString();
    }

    /** As the documents say it: kid in the header. */
    public String good(String playbackId, long expiresAt, String... more) {
        return sign(header(), claims(playbackId, expiresAt, more));
    }

    /** Signed by RS256, whatever the header says. */
    String sign(String header, String claims) {
        return sign(header, claims, "SHA256withRSA");
    }

    String sign(String header, String claims, String algorithm) {
        String input = encoded(header) + "." + encoded(claims);
        return input + "." + encoded(signature(input, algorithm));
    }

    byte[] signature(String input, String algorithm) {
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(privateKey);
            if (algorithm.equals("RSASSA-PSS")) {
                signature.setParameter(
                        new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
            }
            signature.update(input.getBytes(UTF_8));
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String hmac(String header, String claims, byte[] key) {
        String input = encoded(header) + "." + encoded(claims);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return input + "." + encoded(mac.doFinal(input.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String encoded(String text) {
        return encoded(text.getBytes(UTF_8));
    }

    static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
