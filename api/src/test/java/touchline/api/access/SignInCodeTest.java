package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SignInCodeTest {
    private static final Credential ADMIN = new Credential("admin", "secret");

    private Instant now = Instant.parse("2026-11-20T12:00:00Z");

    @Test
    void exchange_rightCode_givesTheCredentialOnce() {
        SignInCode code = new SignInCode("right", ADMIN, () -> now);

        assertEquals(Optional.empty(), code.exchange("wrong"));
        assertEquals(Optional.empty(), code.exchange(""));
        assertEquals(Optional.of(ADMIN), code.exchange("right"));
        assertEquals(Optional.empty(), code.exchange("right"));
    }

    @Test
    void exchange_atTheEndOfItsLifetime_givesNothing() {
        SignInCode code = new SignInCode("right", ADMIN, () -> now);

        now = now.plus(SignInCode.LIFETIME);

        assertEquals(Optional.empty(), code.exchange("right"));
        now = now.minusNanos(1);
        assertEquals(Optional.of(ADMIN), code.exchange("right"));
    }

    @Test
    void exchange_byManyAtOnce_givesTheCredentialToOne() throws Exception {
        SignInCode code = new SignInCode("right", ADMIN, () -> now);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Optional<Credential>> exchange = () -> code.exchange("right");
            int given = 0;
            for (var answer :
                    threads.invokeAll(Stream.generate(() -> exchange).limit(50).toList())) {
                given += answer.get().isPresent() ? 1 : 0;
            }

            assertEquals(1, given);
        }
    }

    @Test
    void newText_isLongAndFitsIntoAFragment() {
        String text = SignInCode.newText();

        assertTrue(text.matches("[A-Za-z0-9]{43,}"), text);
        assertNotEquals(text, SignInCode.newText());
        assertFalse(String.valueOf((Object) new SignInCode(text, ADMIN, () -> now)).contains(text));
    }
}
