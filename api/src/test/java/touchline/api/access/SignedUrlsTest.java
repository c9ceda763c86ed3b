package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SignedUrlsTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String PATH = "/frames/ses_1/12.jpg";

    private Instant now = START;
    private final SignedUrls urls = new SignedUrls(Keys.of(1), () -> now);
    private final String url = urls.sign(PATH, START.plusSeconds(86_400));
    private final String expiry = url.replaceAll(".*exp=|&.*", "");
    private final String signature = url.replaceAll(".*sig=", "");

    @Test
    void sign_path_hasExpiryAndSignature() {
        assertTrue(
                url.matches("/frames/ses_1/12\\.jpg\\?exp=1767312000&sig=[A-Za-z0-9_-]{22}"), url);
    }

    @Test
    void verify_untouched_isGoodUntilItExpires() {
        assertEquals(SignedUrls.Check.GOOD, urls.verify(PATH, expiry, signature));
        now = START.plusSeconds(86_400).minusMillis(1);
        assertEquals(SignedUrls.Check.GOOD, urls.verify(PATH, expiry, signature));
        now = START.plusSeconds(86_400);
        assertEquals(SignedUrls.Check.EXPIRED, urls.verify(PATH, expiry, signature));
    }

    @Test
    void verify_anythingElse_isForged() {
        SignedUrls.Check forged = SignedUrls.Check.FORGED;

        assertEquals(forged, urls.verify("/frames/ses_1/13.jpg", expiry, signature));
        assertEquals(forged, urls.verify(PATH + "/", expiry, signature));
        for (String other :
                List.of("1767312001", "01767312000", "", "-1", "1e9", "9".repeat(30), "١")) {
            assertEquals(forged, urls.verify(PATH, other, signature), other);
        }
        for (String other : List.of("", "A", "!", signature + "AA", "A".repeat(5_000))) {
            assertEquals(forged, urls.verify(PATH, expiry, other), other);
        }
        assertEquals(forged, new SignedUrls(Keys.of(2), () -> now).verify(PATH, expiry, signature));
    }

    @Test
    void verify_afterTheMasterKeyChanged_isGoodWhileTheOldOneIsKept(@TempDir Path folder)
            throws Exception {
        Files.writeString(folder.resolve(MasterKeys.FILE), Keys.text(1));
        SignedUrls changed =
                new SignedUrls(MasterKeys.load(Optional.of(Keys.text(2)), folder), () -> now);

        assertEquals(SignedUrls.Check.GOOD, changed.verify(PATH, expiry, signature));
        assertEquals(
                SignedUrls.Check.FORGED,
                urls.verify(PATH, expiry, changed.sign(PATH, START).replaceAll(".*sig=", "")));
    }
}
