package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A self-signed certificate and its key as PEM files, made by openssl. */
record TestKeyPair(Path cert, Path key) {
    /**
     * @param host the only name in the certificate
     */
    static TestKeyPair make(Path folder, String name, String host) throws Exception {
        TestKeyPair made =
                new TestKeyPair(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
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
                "subjectAltName=DNS:" + host,
                "-out",
                made.cert().toString(),
                "-keyout",
                made.key().toString());
        return made;
    }

    /** For a server that shows the certificate. */
    SSLContext serverContext() throws Exception {
        Path store = key.resolveSibling("store.p12");
        openssl(
                "pkcs12",
                "-export",
                "-in",
                cert.toString(),
                "-inkey",
                key.toString(),
                "-out",
                store.toString(),
                "-passout",
                "pass:for-a-test");
        char[] password = "for-a-test".toCharArray();
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(store.toFile(), password), password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    static void openssl(String... arguments) throws Exception {
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
}
