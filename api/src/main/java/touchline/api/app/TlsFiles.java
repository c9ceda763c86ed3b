package touchline.api.app;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.TlsConfig;
import touchline.media.tls.PemFiles;
import touchline.media.tls.ServerCertificate;
import touchline.media.tls.UnusableCertificateException;

/**
 * The certificate and its private key at the start: says what is wrong with the files. Any thread.
 */
final class TlsFiles {
    private static final Logger log = LoggerFactory.getLogger(TlsFiles.class);

    private TlsFiles() {}

    /**
     * Reads both files, if there are any, and compares them.
     *
     * @throws StartException naming the key and what is expected
     */
    static void check(TlsConfig config) {
        try {
            if (config.acme().ca().isPresent()) {
                certificates(config.acme().ca().get());
            }
            if (config.cert().isEmpty() || config.key().isEmpty()) {
                return;
            }
            ServerCertificate read = PemFiles.read(config.cert().get(), config.key().get());
            if (read.notAfter().isBefore(Instant.now())) {
                log.warn(
                        "tls.cert: the certificate in {} has expired at {}",
                        config.cert().get(),
                        read.notAfter());
            }
        } catch (UnusableCertificateException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The chain of a PEM file, the server's own certificate first.
     *
     * @throws StartException if there is none
     */
    static List<X509Certificate> certificates(Path file) {
        try {
            return PemFiles.certificates(file);
        } catch (UnusableCertificateException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }
}
