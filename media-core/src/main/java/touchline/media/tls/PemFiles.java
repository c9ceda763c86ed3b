package touchline.media.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a certificate chain and its private key from PEM texts (RFC 7468), and says what is wrong
 * with them. Any thread.
 */
public final class PemFiles {
    /** Chains have a few KiB. */
    private static final int MAX_BYTES = 1 << 20;

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    private PemFiles() {}

    /**
     * Reads both files, and compares them. An expired certificate is no error here.
     *
     * @param certFile the chain, the server's own certificate first
     * @param keyFile the key as unencrypted PKCS #8; may be the same file
     * @throws UnusableCertificateException naming the configuration key, the file and the reason
     */
    public static ServerCertificate read(Path certFile, Path keyFile)
            throws UnusableCertificateException {
        return parse(text("tls.cert", certFile), certFile, text("tls.key", keyFile), keyFile);
    }

    /**
     * As {@link #read}, of texts that were read already.
     *
     * @param certFile for messages
     * @param keyFile for messages
     */
    public static ServerCertificate parse(String cert, Path certFile, String key, Path keyFile)
            throws UnusableCertificateException {
        List<X509Certificate> chain = certificates(cert, certFile);
        ServerCertificate read =
                new ServerCertificate(chain, privateKey(key, keyFile, chain.getFirst()));
        if (!read.isKeyOfCertificate()) {
            throw new UnusableCertificateException(
                    "tls.key: %s is not the key of the certificate in %s"
                            .formatted(keyFile, certFile));
        }
        return read;
    }

    /**
     * The chain of a PEM file, the server's own certificate first.
     *
     * @throws UnusableCertificateException if there is none
     */
    public static List<X509Certificate> certificates(Path file)
            throws UnusableCertificateException {
        return certificates(text("tls.cert", file), file);
    }

    /**
     * The text of a file.
     *
     * @param key of the configuration, for messages
     * @throws UnusableCertificateException if it cannot be read, or is far too large
     */
    public static String text(String key, Path file) throws UnusableCertificateException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new UnusableCertificateException(
                        "%s: %s has more than %d bytes".formatted(key, file, MAX_BYTES));
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UnusableCertificateException(
                    "%s: %s cannot be read (%s)".formatted(key, file, e.getClass().getSimpleName()),
                    e);
        }
    }

    /** A PEM text of one block, with a line break at its end. */
    public static String block(String type, byte[] der) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(
                        type,
                        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der),
                        type);
    }

    private static List<X509Certificate> certificates(String text, Path file)
            throws UnusableCertificateException {
        StringBuilder blocks = new StringBuilder();
        Matcher block = PEM.matcher(text);
        while (block.find()) {
            if (block.group(1).equals("CERTIFICATE")) {
                blocks.append(block.group()).append('\n');
            }
        }
        if (blocks.isEmpty()) {
            throw new UnusableCertificateException(
                    "tls.cert: %s has no certificate (expected: PEM, -----BEGIN CERTIFICATE-----)"
                            .formatted(file));
        }
        try {
            byte[] bytes = blocks.toString().getBytes(StandardCharsets.ISO_8859_1);
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new UnusableCertificateException(
                    "tls.cert: %s has a broken certificate (expected: PEM)".formatted(file), e);
        }
    }

    private static PrivateKey privateKey(String text, Path file, X509Certificate certificate)
            throws UnusableCertificateException {
        Matcher block = PEM.matcher(text);
        String found = "nothing in PEM";
        while (block.find()) {
            found = block.group(1);
            if (found.equals("PRIVATE KEY")) {
                return parsed(file, block.group(2), certificate);
            }
        }
        throw new UnusableCertificateException(
                "tls.key: %s has %s (expected: PRIVATE KEY, unencrypted PKCS #8; `openssl pkcs8 -topk8 -nocrypt -in %s` converts other keys)"
                        .formatted(file, found, file));
    }

    private static PrivateKey parsed(Path file, String base64, X509Certificate certificate)
            throws UnusableCertificateException {
        String algorithm = certificate.getPublicKey().getAlgorithm();
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(base64);
            return KeyFactory.getInstance(algorithm)
                    .generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new UnusableCertificateException(
                    "tls.key: %s has no %s key, which the certificate in tls.cert needs"
                            .formatted(file, algorithm),
                    e);
        }
    }
}
