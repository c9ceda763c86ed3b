package touchline.api.certificate;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import touchline.media.tls.ServerCertificate;

/** Certificates that no authority vouches for. Any thread. */
final class SelfSigned {
    /** RFC 8737, 6.1: id-pe-acmeIdentifier. */
    private static final ASN1ObjectIdentifier ACME_IDENTIFIER =
            new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.31");

    private static final Duration SKEW = Duration.ofHours(1);
    private static final Duration PLACEHOLDER_VALIDITY = Duration.ofDays(365);
    private static final Duration PROOF_VALIDITY = Duration.ofDays(7);
    private static final int SERIAL_BITS = 120;

    private SelfSigned() {}

    /** Shown until an authority has issued the first certificate. */
    static ServerCertificate placeholder(List<String> domains, Instant now) {
        return make(domains, now, PLACEHOLDER_VALIDITY, new byte[0]);
    }

    /**
     * Answers a TLS-ALPN-01 challenge (RFC 8737, 3).
     *
     * @param digest SHA-256 of the key authorization, 32 bytes
     */
    static ServerCertificate proof(String domain, Instant now, byte[] digest) {
        return make(List.of(domain), now, PROOF_VALIDITY, digest);
    }

    /** A certificate for domains, valid from an hour before a time. */
    static ServerCertificate make(
            List<String> domains, Instant now, Duration validity, byte[] digest) {
        KeyPair keys = AcmeStore.newKeys();
        X500Principal name = new X500Principal("CN=" + domains.getFirst() + ", O=Touchline");
        try {
            X509v3CertificateBuilder builder =
                    new JcaX509v3CertificateBuilder(
                            name,
                            new BigInteger(SERIAL_BITS, new SecureRandom()),
                            Date.from(now.minus(SKEW)),
                            Date.from(now.plus(validity)),
                            name,
                            keys.getPublic());
            GeneralName[] names =
                    domains.stream()
                            .map(domain -> new GeneralName(GeneralName.dNSName, domain))
                            .toArray(GeneralName[]::new);
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            if (digest.length > 0) {
                builder.addExtension(ACME_IDENTIFIER, true, new DEROctetString(digest));
            }
            return new ServerCertificate(
                    List.of(
                            new JcaX509CertificateConverter()
                                    .getCertificate(
                                            builder.build(
                                                    new JcaContentSignerBuilder("SHA256withECDSA")
                                                            .build(keys.getPrivate())))),
                    keys.getPrivate());
        } catch (CertIOException | OperatorCreationException | CertificateException e) {
            throw new IllegalStateException("a certificate for " + domains + " cannot be made", e);
        }
    }
}
