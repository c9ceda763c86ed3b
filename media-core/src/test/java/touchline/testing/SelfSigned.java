package touchline.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.ServerCertificate;

/** A self-signed certificate and its key as PEM files, made by openssl. */
public record SelfSigned(Path cert, Path key) {
    /**
     * @param name of the files
     * @param host the only name in the certificate, or an IPv4 address
     */
    public static SelfSigned make(Path folder, String name, String host)
            throws IOException, InterruptedException {
        SelfSigned made =
                new SelfSigned(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
        boolean address = host.matches("[0-9.]+");
        openssl(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=" + host,
                "-addext",
                "subjectAltName=" + (address ? "IP:" : "DNS:") + host,
                "-out",
                made.cert().toString(),
                "-keyout",
                made.key().toString());
        return made;
    }

    /** One for localhost. */
    public static SelfSigned make(Path folder) throws IOException, InterruptedException {
        return make(folder, "certificate", "localhost");
    }

    public static void openssl(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = "openssl";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertEquals(0, process.waitFor(), String.join(" ", command));
    }

    /** As a server shows it. */
    public CurrentCertificate shown() {
        return CurrentCertificate.ofFiles(Optional.of(cert), Optional.of(key)).orElseThrow();
    }

    /** For a server that shows the certificate. */
    public SSLContext server() throws IOException, GeneralSecurityException {
        ServerCertificate pair = shown().get();
        char[] password = "for-a-test".toCharArray();
        KeyStore store = empty();
        store.setKeyEntry("server", pair.key(), password, pair.chain().toArray(Certificate[]::new));
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** For a client that trusts this certificate and no other. Nothing is resumed between two. */
    public SSLContext client() throws IOException, GeneralSecurityException {
        KeyStore trusted = empty();
        trusted.setCertificateEntry("server", shown().get().leaf());
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
