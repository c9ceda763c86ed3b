package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CredentialTest {
    private static String basic(String text) {
        return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void parse_bearerAndBasic_areTheSame() {
        Optional<Credential> expected = Optional.of(new Credential("tok_1", "se.cr:et"));

        assertEquals(expected, Credential.parse("Bearer tok_1.se.cr:et"));
        assertEquals(expected, Credential.parse("bEARER  tok_1.se.cr:et "));
        assertEquals(expected, Credential.parse(basic("tok_1:se.cr:et")));
        assertEquals(expected, Credential.parse("basic" + basic("tok_1:se.cr:et").substring(5)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Bearer token",
                "Bearer .secret",
                "Bearer id.",
                "Basic",
                "Basic !!!!",
                "Basic OnNlY3JldA==",
                "Basic aWQ6",
                "Basic aWQ=",
                "Basic //79",
                "Digest id.secret",
                "id.secret"
            })
    void parse_malformed_isEmpty(String header) {
        assertEquals(Optional.empty(), Credential.parse(header));
    }

    @Test
    void parse_hugeHeader_isEmpty() {
        assertEquals(Optional.empty(), Credential.parse("Bearer a." + "x".repeat(1024)));
    }

    @Test
    void toString_always_hidesTheSecret() {
        assertFalse(new Credential("id", "hidden").toString().contains("hidden"));
    }
}
