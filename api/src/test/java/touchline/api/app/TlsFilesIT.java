package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.TlsConfig;
import touchline.testing.SelfSigned;

final class TlsFilesIT {
    @TempDir private Path folder;

    @Test
    void check_keyOfTheCertificate_passes() throws Exception {
        SelfSigned pair = SelfSigned.make(folder, "a", "live.example");

        check(pair.cert(), pair.key());

        assertEquals(
                "CN=live.example",
                TlsFiles.certificates(pair.cert()).getFirst().getSubjectX500Principal().getName());
    }

    @Test
    void check_keyOfAnother_isNamed() throws Exception {
        SelfSigned one = SelfSigned.make(folder, "a", "live.example");
        SelfSigned other = SelfSigned.make(folder, "b", "live.example");

        assertFault("b.key is not the key of the certificate", one.cert(), other.key());
    }

    @Test
    void check_filesSwapped_saysWhatIsMissing() throws Exception {
        SelfSigned pair = SelfSigned.make(folder, "a", "live.example");

        assertFault("a.key has no certificate (expected: PEM", pair.key(), pair.cert());
        assertFault("a.pem has CERTIFICATE (expected: PRIVATE KEY", pair.cert(), pair.cert());
    }

    @Test
    void check_keyInAnotherForm_saysHowToConvertIt() throws Exception {
        SelfSigned pair = SelfSigned.make(folder, "a", "live.example");
        Path old = folder.resolve("old.key");
        SelfSigned.openssl("ec", "-in", pair.key().toString(), "-out", old.toString());

        assertFault("old.key has EC PRIVATE KEY", pair.cert(), old);
        assertFault("openssl pkcs8 -topk8 -nocrypt -in " + old, pair.cert(), old);
    }

    @Test
    void check_brokenBytes_isNamed() throws Exception {
        SelfSigned pair = SelfSigned.make(folder, "a", "live.example");
        String begin = "-----BEGIN %s-----\nAAAA\n-----END %s-----\n";
        Path cert = Files.writeString(folder.resolve("x.pem"), begin.replace("%s", "CERTIFICATE"));
        Path key = Files.writeString(folder.resolve("x.key"), begin.replace("%s", "PRIVATE KEY"));

        assertFault("x.pem has a broken certificate", cert, pair.key());
        assertFault("x.key has no EC key", pair.cert(), key);
    }

    private static void assertFault(String expected, Path cert, Path key) {
        StartException fault = assertThrows(StartException.class, () -> check(cert, key));
        assertTrue(String.valueOf(fault.getMessage()).contains(expected), fault::getMessage);
    }

    private static void check(Path cert, Path key) {
        TlsFiles.check(new TlsConfig(OptionalInt.empty(), Optional.of(cert), Optional.of(key)));
    }
}
