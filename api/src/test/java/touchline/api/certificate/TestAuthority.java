package touchline.api.certificate;

import java.math.BigInteger;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import touchline.media.tls.ServerCertificate;

/** An authority of a test: its certificates are not self-signed. Any thread. */
final class TestAuthority {
    private static final X500Principal NAME = new X500Principal("CN=Test authority");

    private final KeyPair keys = AcmeStore.newKeys();
    private final AtomicLong serials = new AtomicLong(1);

    ServerCertificate issue(List<String> domains, Instant notBefore, Duration validity) {
        KeyPair certified = AcmeStore.newKeys();
        try {
            JcaX509v3CertificateBuilder builder =
                    new JcaX509v3CertificateBuilder(
                            NAME,
                            BigInteger.valueOf(serials.getAndIncrement()),
                            Date.from(notBefore),
                            Date.from(notBefore.plus(validity)),
                            new X500Principal("CN=" + domains.getFirst()),
                            certified.getPublic());
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(
                            domains.stream()
                                    .map(domain -> new GeneralName(GeneralName.dNSName, domain))
                                    .toArray(GeneralName[]::new)));
            // By it and the serial number an authority knows a certificate (RFC 9773, 4.1).
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(keys.getPublic()));
            return new ServerCertificate(
                    List.of(
                            new JcaX509CertificateConverter()
                                    .getCertificate(
                                            builder.build(
                                                    new JcaContentSignerBuilder("SHA256withECDSA")
                                                            .build(keys.getPrivate())))),
                    certified.getPrivate());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
