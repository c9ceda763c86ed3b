package touchline.api.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;

/** The end of a certificate, from its PEM file. Blocks; any thread. */
public final class CertificateFile {
    private CertificateFile() {}

    /** Of the first certificate in the file; empty where it cannot be read. */
    public static Optional<HostFacts.Certificate> read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in)
                            instanceof X509Certificate certificate
                    ? Optional.of(
                            new HostFacts.Certificate(
                                    certificate
                                            .getSubjectX500Principal()
                                            .getName(X500Principal.RFC2253),
                                    certificate.getNotAfter().toInstant()))
                    : Optional.empty();
        } catch (IOException | CertificateException _) {
            return Optional.empty();
        }
    }
}
