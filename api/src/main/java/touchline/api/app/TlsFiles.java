package touchline.api.app;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.TlsConfig;

/** The certificate and its private key: says what is wrong with the files. Any thread. */
final class TlsFiles {
    private static final Logger log = LoggerFactory.getLogger(TlsFiles.class);

    /** RFC 7468. */
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    private TlsFiles() {}

    /**
     * Reads both files, if there are any, and compares them.
     *
     * @throws StartException naming the key and what is expected
     */
    static void check(TlsConfig config) {
        if (config.cert().isEmpty() || config.key().isEmpty()) {
            return;
        }
        Path certFile = config.cert().get();
        Path keyFile = config.key().get();
        X509Certificate certificate = certificates(certFile).getFirst();
        if (!belong(certificate.getPublicKey(), privateKey(keyFile, certificate))) {
            throw new StartException(
                    "tls.key: %s is not the key of the certificate in %s"
                            .formatted(keyFile, certFile));
        }
        Instant end = certificate.getNotAfter().toInstant();
        if (end.isBefore(Instant.now())) {
            log.warn("tls.cert: the certificate in {} has expired at {}", certFile, end);
        }
    }

    /**
     * The chain of a PEM file, the server's own certificate first.
     *
     * @throws StartException if there is none
     */
    static List<X509Certificate> certificates(Path file) {
        String text = text("tls.cert", file);
        if (!text.contains("-----BEGIN CERTIFICATE-----")) {
            throw new StartException(
                    "tls.cert: %s has no certificate (expected: PEM, -----BEGIN CERTIFICATE-----)"
                            .formatted(file));
        }
        try {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new StartException(
                    "tls.cert: %s has a broken certificate (expected: PEM)".formatted(file), e);
        }
    }

    private static PrivateKey privateKey(Path file, X509Certificate certificate) {
        Matcher block = PEM.matcher(text("tls.key", file));
        String found = "nothing in PEM";
        while (block.find()) {
            found = block.group(1);
            if (found.equals("PRIVATE KEY")) {
                return parsed(file, block.group(2), certificate);
            }
        }
        throw new StartException(
                "tls.key: %s has %s (expected: PRIVATE KEY, unencrypted PKCS #8; `openssl pkcs8 -topk8 -nocrypt -in %s` converts other keys)"
                        .formatted(file, found, file));
    }

    private static PrivateKey parsed(Path file, String base64, X509Certificate certificate) {
        String algorithm = certificate.getPublicKey().getAlgorithm();
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(base64);
            return KeyFactory.getInstance(algorithm)
                    .generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new StartException(
                    "tls.key: %s has no %s key, which the certificate in tls.cert needs"
                            .formatted(file, algorithm),
                    e);
        }
    }

    private static boolean belong(PublicKey certified, PrivateKey key) {
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

    private static String text(String key, Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new StartException(
                    "%s: %s cannot be read (%s)".formatted(key, file, e.getClass().getSimpleName()),
                    e);
        }
    }
}
