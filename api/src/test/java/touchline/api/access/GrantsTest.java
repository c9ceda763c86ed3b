package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.media.net.AddressBlock;

final class GrantsTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Grant GRANT = grant("a.jwt.text", ViewerRules.NONE);
    private static final GrantCheck FORGED = new GrantCheck.Refused(GrantCheck.Reason.FORGED);
    private static final GrantCheck MALFORMED = new GrantCheck.Refused(GrantCheck.Reason.MALFORMED);
    private static final GrantCheck EXPIRED = new GrantCheck.Refused(GrantCheck.Reason.EXPIRED);

    private static Grant grant(String token, ViewerRules viewers) {
        return Grant.of(
                new PlaybackToken(
                        "key_0123456789abcdefghij",
                        "playback1",
                        START.plusSeconds(60),
                        Optional.empty(),
                        viewers),
                Digests.sha256(token));
    }

    private Instant now = START;
    private final Grants grants = new Grants(Keys.of(1), () -> now);
    private final String text = grants.make(GRANT);

    @Test
    void verify_made_isTheGrantAgain() {
        assertEquals(new GrantCheck.Good(GRANT), grants.verify(text, "playback1"));
    }

    @Test
    void make_text_isShortAndSafeInAnAddress() {
        assertTrue(text.matches("[A-Za-z0-9_-]{60,142}"), text);
    }

    @Test
    void verify_otherPlaybackId_isForged() {
        for (String id : List.of("playback2", "playback", "playback11", "Playback1", "")) {
            assertEquals(FORGED, grants.verify(text, id));
        }
    }

    @Test
    void verify_expiry_hasSixtySecondsOfSkew() {
        now = GRANT.expiresAt().plusSeconds(60).minusMillis(1);
        assertEquals(new GrantCheck.Good(GRANT), grants.verify(text, "playback1"));
        now = GRANT.expiresAt().plusSeconds(60);
        assertEquals(EXPIRED, grants.verify(text, "playback1"));
    }

    @Test
    void verify_anyBitChanged_isRefused() {
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] altered = bytes.clone();
            altered[bit / 8] ^= (byte) (1 << (bit % 8));
            String forged = Base64.getUrlEncoder().withoutPadding().encodeToString(altered);

            assertEquals(bit < 8 ? MALFORMED : FORGED, grants.verify(forged, "playback1"));
        }
    }

    @Test
    void verify_otherSpelling_isMalformed() {
        List<String> spellings =
                List.of(
                        "",
                        "A",
                        "~",
                        text + "=",
                        text + " ",
                        text + "A".repeat(6_000),
                        text.substring(0, 20),
                        text.replace('-', '+') + "!",
                        "Ag");
        for (String spelling : spellings) {
            assertEquals(MALFORMED, grants.verify(spelling, "playback1"), spelling);
        }
    }

    @Test
    void verify_cutAnywhere_isRefused() {
        for (int length = 0; length < text.length(); length++) {
            GrantCheck check = grants.verify(text.substring(0, length), "playback1");
            assertTrue(check.equals(MALFORMED) || check.equals(FORGED), check::toString);
        }
    }

    @Test
    void verify_ofAnotherServer_isForged() {
        String foreign = new Grants(Keys.of(2), () -> now).make(GRANT);

        assertEquals(FORGED, grants.verify(foreign, "playback1"));
    }

    @Test
    void verify_signedUrlOfTheSameServer_isNoGrant() {
        String url = new SignedUrls(Keys.of(1), () -> now).sign("playback1", START);
        String signature = url.substring(url.lastIndexOf('=') + 1);

        assertEquals(MALFORMED, grants.verify(signature, "playback1"));
    }

    @Test
    void of_otherToken_hasAnotherHash() {
        Grant other = grant("another.jwt", ViewerRules.NONE);

        assertNotEquals(GRANT.tokenHash(), other.tokenHash());
        assertNotEquals(text, grants.make(other));
    }

    @Test
    void make_rulesForViewers_comeBackEqual() {
        ViewerRules rules =
                new ViewerRules(
                        List.of(
                                AddressBlock.parse("192.0.2.0/24"),
                                AddressBlock.parse("2001:db8::/32"),
                                AddressBlock.parse("::1")),
                        List.of("a.example", "*.b.example"));
        Grant ruled = grant("a.jwt.text", rules);

        assertEquals(new GrantCheck.Good(ruled), grants.verify(grants.make(ruled), "playback1"));
    }

    @Test
    void make_asManyRulesAsATokenHolds_areRead() {
        List<String> hosts = Collections.nCopies(16, "h".repeat(180) + ".example");
        List<AddressBlock> blocks =
                Collections.nCopies(16, AddressBlock.parse("2001:db8:ffff:ffff:ffff:ffff:ffff:ff"));
        Grant ruled = grant("a.jwt.text", new ViewerRules(blocks, hosts));

        assertEquals(new GrantCheck.Good(ruled), grants.verify(grants.make(ruled), "playback1"));
    }

    @Test
    void grant_keyIdTooLongOrEmpty_isRefused() {
        for (String id : List.of("", "k".repeat(65))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new Grant("p", id, "0".repeat(32), START, ViewerRules.NONE));
        }
    }
}
