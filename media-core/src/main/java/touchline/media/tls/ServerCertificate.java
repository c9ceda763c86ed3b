package touchline.media.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A certificate with its chain and its private key. Immutable.
 *
 * @param chain the server's own certificate first, each next one certifies the one before
 * @param key of the first certificate
 */
public record ServerCertificate(List<X509Certificate> chain, PrivateKey key) {
    /** Types of names in a certificate (RFC 5280, 4.2.1.6). */
    private static final int DNS_NAME = 2;

    private static final int IP_ADDRESS = 7;

    /**
     * @throws IllegalArgumentException without a certificate
     */
    public ServerCertificate {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("chain: empty (expected: a certificate)");
        }
    }

    /** The server's own certificate. */
    public X509Certificate leaf() {
        return chain.getFirst();
    }

    public Instant notBefore() {
        return leaf().getNotBefore().toInstant();
    }

    public Instant notAfter() {
        return leaf().getNotAfter().toInstant();
    }

    /** Whether the time lies within the certificate's validity (RFC 5280, 4.1.2.5). */
    public boolean isValidAt(Instant time) {
        return !time.isBefore(notBefore()) && !time.isAfter(notAfter());
    }

    /** Whether no other certificate vouches for it. */
    public boolean isSelfSigned() {
        return leaf().getSubjectX500Principal().equals(leaf().getIssuerX500Principal());
    }

    /** The distinguished name of the issuer (RFC 2253). */
    public String issuer() {
        return leaf().getIssuerX500Principal().getName();
    }

    /** The serial number in hexadecimal digits. */
    public String serial() {
        return leaf().getSerialNumber().toString(16);
    }

    /** Host names and addresses of the certificate, in its order; they may begin with "*.". */
    public List<String> names() {
        return names(leaf());
    }

    /** As {@link #names()}; empty if the certificate has none or they cannot be read. */
    public static List<String> names(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> name : alternatives) {
                    if (name.getFirst().equals(DNS_NAME) || name.getFirst().equals(IP_ADDRESS)) {
                        names.add(String.valueOf(name.get(1)));
                    }
                }
            }
        } catch (CertificateParsingException _) {
            // Without readable names no client accepts it for a name.
            return List.of();
        }
        return List.copyOf(names);
    }

    /** Whether the private key belongs to the server's own certificate: signs and verifies. */
    public boolean isKeyOfCertificate() {
        PublicKey certified = leaf().getPublicKey();
        String algorithm =
                switch (certified.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    case String other -> other;
                };
        byte[] anything = "touchline".getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(anything);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(anything);
            return signature.verify(signed);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "ServerCertificate[names=%s, notAfter=%s]".formatted(names(), notAfter());
    }
}
