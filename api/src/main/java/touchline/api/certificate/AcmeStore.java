package touchline.api.certificate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.media.tls.PemFiles;
import touchline.media.tls.ServerCertificate;
import touchline.media.tls.UnusableCertificateException;

/**
 * The folder {@code acme} of the data folder, mode 700, with files of mode 600: {@code account.pem}
 * (the account's keys), {@code certificate.pem} (the certificate's key and chain in one file, so
 * that both are replaced at once), and {@code failure} (the last failure, for doctor). Each file is
 * written beside its name and moved there. One thread writes, any reads.
 */
public final class AcmeStore {
    /** Its name in the data folder. */
    public static final String FOLDER = "acme";

    /** The files that a new host needs to go on; both have private keys. */
    public static final List<String> KEPT = List.of("account.pem", "certificate.pem");

    private static final Set<PosixFilePermission> FOLDER_MODE =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE_MODE =
            PosixFilePermissions.fromString("rw-------");
    private static final String CURVE = "secp256r1";
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN (PRIVATE|PUBLIC) KEY-----([^-]*)-----END \\1 KEY-----");

    private final Path folder;

    public AcmeStore(Path dataDir) {
        this.folder = dataDir.resolve(FOLDER);
    }

    /** The file with the certificate's key and chain. */
    public Path certificateFile() {
        return folder.resolve("certificate.pem");
    }

    /**
     * The stored certificate; empty if there is none.
     *
     * @throws UnusableCertificateException if the file is damaged
     */
    public Optional<ServerCertificate> certificate() throws UnusableCertificateException {
        Path file = certificateFile();
        return Files.exists(file) ? Optional.of(PemFiles.read(file, file)) : Optional.empty();
    }

    /** The last failure in one line, with its time; empty after a success. */
    public Optional<String> failure() {
        try {
            return Files.exists(folder.resolve("failure"))
                    ? Optional.of(Files.readString(folder.resolve("failure")).strip())
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: cannot read " + folder, e);
        }
    }

    void save(ServerCertificate issued) {
        StringBuilder pem = new StringBuilder();
        pem.append(PemFiles.block("PRIVATE KEY", issued.key().getEncoded()));
        try {
            for (X509Certificate each : issued.chain()) {
                pem.append(PemFiles.block("CERTIFICATE", each.getEncoded()));
            }
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate without an encoding", e);
        }
        write("certificate.pem", pem.toString());
    }

    void saveFailure(CertificateStatus.Failure failure) {
        write("failure", failure.at() + " " + failure.message() + "\n");
    }

    void clearFailure() {
        try {
            Files.deleteIfExists(folder.resolve("failure"));
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: cannot write " + folder, e);
        }
    }

    /** The keys of the account with the directory; created at the first call. */
    KeyPair account() {
        Path file = folder.resolve("account.pem");
        try {
            if (!Files.exists(file)) {
                KeyPair made = newKeys();
                write(
                        "account.pem",
                        PemFiles.block("PRIVATE KEY", made.getPrivate().getEncoded())
                                + PemFiles.block("PUBLIC KEY", made.getPublic().getEncoded()));
            }
            return parsed(Files.readString(file, StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: cannot read " + file, e);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    "%s: damaged (remove it for a new account)".formatted(file), e);
        }
    }

    /** New keys on P-256, which every client knows. */
    static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("P-256 is part of every JDK", e);
        }
    }

    private static KeyPair parsed(String pem) throws GeneralSecurityException {
        KeyFactory factory = KeyFactory.getInstance("EC");
        byte[] open = new byte[0];
        byte[] secret = new byte[0];
        Matcher block = PEM.matcher(pem);
        while (block.find()) {
            byte[] der = Base64.getMimeDecoder().decode(block.group(2));
            if (block.group(1).equals("PUBLIC")) {
                open = der;
            } else {
                secret = der;
            }
        }
        return new KeyPair(
                factory.generatePublic(new X509EncodedKeySpec(open)),
                factory.generatePrivate(new PKCS8EncodedKeySpec(secret)));
    }

    private void write(String name, String text) {
        try {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, FOLDER_MODE);
            Path draft = folder.resolve(name + ".new");
            Files.deleteIfExists(draft);
            Files.createFile(draft, PosixFilePermissions.asFileAttribute(FILE_MODE));
            try (FileChannel file = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
                file.force(/* metaData= */ true);
            }
            Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: cannot write " + folder.resolve(name), e);
        }
    }
}
