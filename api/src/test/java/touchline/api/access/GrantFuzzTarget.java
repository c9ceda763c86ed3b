package touchline.api.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import touchline.testing.fuzz.FuzzInput;
import touchline.testing.fuzz.FuzzTarget;

/**
 * Grants and signed addresses. The input is a grant's text, a signed address, and the fields of a
 * grant: what is made is verified as the same, what is changed is refused.
 */
public final class GrantFuzzTarget implements FuzzTarget {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String ID = "playback1";

    private final Grants grants = new Grants(Keys.of(1), () -> NOW);
    private final SignedUrls urls = new SignedUrls(Keys.of(1), () -> NOW);
    private final String known = grants.make(grant("key_1", 60, ViewerRules.NONE));

    @Override
    public String name() {
        return "grant";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                known.getBytes(ISO_8859_1),
                urls.sign("/frames/a.jpg", NOW.plusSeconds(9)).getBytes(ISO_8859_1),
                HexFormat.of().parseHex("05003c" + "00112233445566778899aabbccddeeff"),
                "exp=1790000000&sig=AAAAAAAAAAAAAAAAAAAAAA".getBytes(ISO_8859_1));
    }

    private static Grant grant(String key, long seconds, ViewerRules rules) {
        PlaybackToken token =
                new PlaybackToken(key, ID, NOW.plusSeconds(seconds), Optional.empty(), rules);
        return Grant.of(token, Digests.sha256("a.jwt.text"));
    }

    @Override
    public void read(byte[] input) {
        String text = new String(input, ISO_8859_1);
        if (grants.verify(text, ID) instanceof GrantCheck.Good(Grant good)) {
            require(text.equals(known), "forged: " + good);
        }
        int split = text.indexOf('&');
        SignedUrls.Check check =
                urls.verify(
                        "/frames/a.jpg",
                        split < 0 ? text : text.substring(0, split),
                        split < 0 ? text : text.substring(split + 1));
        require(check == SignedUrls.Check.FORGED, "address: " + check);
        made(new FuzzInput(input));
    }

    private void made(FuzzInput input) {
        String key = HexFormat.of().formatHex(input.bytes(1 + input.upTo(31)));
        ViewerRules rules =
                new ViewerRules(List.of(), List.of("h" + input.u8() + ".example", "*.b"));
        Grant grant = grant("k" + key.substring(0, Math.min(60, key.length())), input.u16(), rules);
        String text = grants.make(grant);
        require(
                grants.verify(text, ID).equals(new GrantCheck.Good(grant)),
                "made and verified: " + grants.verify(text, ID) + ", was: " + grant);
        byte[] changed = Base64.getUrlDecoder().decode(text);
        int at = input.u16() % changed.length;
        changed[at] ^= (byte) (1 << (input.u8() & 7));
        String forged = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
        require(grants.verify(forged, ID) instanceof GrantCheck.Refused, "changed at " + at);
        byte[] body = Arrays.copyOf(changed, changed.length / 2);
        String cut = Base64.getUrlEncoder().withoutPadding().encodeToString(body);
        require(grants.verify(cut, ID) instanceof GrantCheck.Refused, "cut");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
