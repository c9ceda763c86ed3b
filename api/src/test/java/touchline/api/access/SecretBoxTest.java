package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SecretBoxTest {
    private final SecretBox box = new SecretBox(Keys.of(1));

    @Test
    void open_sealed_isTheSecretAgain() {
        for (String secret : List.of("", "key", "ä🔑\u0000", "x".repeat(5_000))) {
            assertEquals(secret, box.open(box.seal(secret, "here"), "here"));
        }
    }

    @Test
    void seal_twice_differs() {
        assertNotEquals(box.seal("key", "here"), box.seal("key", "here"));
    }

    @Test
    void open_otherPlace_isRefused() {
        String sealed = box.seal("key", "here");

        assertThrows(SecretException.class, () -> box.open(sealed, "there"));
    }

    @Test
    void open_anyCharacterChanged_isRefused() {
        String sealed = box.seal("key", "here");
        for (int i = 0; i < sealed.length(); i++) {
            char other = sealed.charAt(i) == 'A' ? 'B' : 'A';
            String altered = sealed.substring(0, i) + other + sealed.substring(i + 1);
            // The last character has bits that base64 does not use.
            if (i < sealed.length() - 1) {
                assertThrows(SecretException.class, () -> box.open(altered, "here"), altered);
            }
        }
        assertThrows(
                SecretException.class,
                () -> box.open(sealed.substring(0, sealed.length() - 4), "here"));
        assertThrows(SecretException.class, () -> box.open(sealed + "AAAA", "here"));
    }

    @Test
    void open_malformed_isRefused() {
        for (String text : List.of("", "v1", "v1..", "v2.a.b", "v1.a.b.c", "plain")) {
            assertThrows(SecretException.class, () -> box.open(text, "here"), text);
        }
    }

    @Test
    void open_masterKeyNotThere_namesItsId() {
        String sealed = new SecretBox(Keys.of(2)).seal("key", "here");
        String id = sealed.split("\\.", -1)[1];

        SecretException failure =
                assertThrows(SecretException.class, () -> box.open(sealed, "here"));

        assertTrue(String.valueOf(failure.getMessage()).contains(id));
    }
}
