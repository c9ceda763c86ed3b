package touchline.api.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.util.Base64URL;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import touchline.testing.fuzz.FuzzTarget;

/**
 * Playback tokens: the input as it is, and as header and claims (behind a zero byte) of a token
 * whose signature counts as good, so that changes reach the claims. A token that is read has rules
 * that survive a grant, and no other spelling of it is read.
 */
public final class TokenFuzzTarget implements FuzzTarget {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final TokenReader reader;

    public TokenFuzzTarget() {
        VerifyingKeys keys = new VerifyingKeys(new LastUses(_ -> {}, InstantSource.system()));
        keys.put("k", new TrustingVerifier());
        reader = new TokenReader(keys);
    }

    @Override
    public String name() {
        return "token";
    }

    @Override
    public List<byte[]> seeds() {
        String header = "{\"alg\":\"RS256\",\"kid\":\"k\"}";
        return List.of(
                seed(header, "{\"aud\":\"v\",\"sub\":\"id\",\"exp\":1790000000}"),
                seed(
                        "{\"alg\":\"RS256\"}",
                        "{\"aud\":[\"v\"],\"sub\":\"id\",\"exp\":1.5e9,\"nbf\":1,\"kid\":\"k\"}"),
                seed(
                        header,
                        "{\"aud\":\"v\",\"sub\":\"id\",\"exp\":1,\"ip\":[\"192.0.2.0/24\","
                                + "\"2001:db8::/32\",\"::1\"],\"ref\":[\"*.a.example\",\"b\"]}"),
                seed(header, "{\"aud\":\"v\",\"sub\":\"\",\"exp\":-1e99,\"ref\":\"A\"}"),
                seed("{\"alg\":\"none\",\"crit\":[]}", "{}"),
                token(
                                header.getBytes(ISO_8859_1),
                                "{\"aud\":\"v\",\"sub\":\"\u00e9\",\"exp\":1}".getBytes(ISO_8859_1))
                        .getBytes(ISO_8859_1));
    }

    private static byte[] seed(String header, String claims) {
        return (header + "\0" + claims).getBytes(ISO_8859_1);
    }

    @Override
    public void read(byte[] input) {
        check(new String(input, ISO_8859_1));
        int end = 0;
        while (end < input.length && input[end] != 0) {
            end++;
        }
        byte[] claims = Arrays.copyOfRange(input, Math.min(end + 1, input.length), input.length);
        check(token(Arrays.copyOf(input, end), claims));
    }

    private static String token(byte[] header, byte[] claims) {
        return BASE64.encodeToString(header) + "." + BASE64.encodeToString(claims) + ".AAAA";
    }

    private void check(String text) {
        PlaybackToken token;
        try {
            token = reader.read(text);
        } catch (TokenRejectedException _) {
            return;
        }
        ViewerRules rules = token.viewers();
        require(ViewerRules.ofText(rules.text()).equals(rules), "rules: " + rules);
        require(token.expiresAt().getEpochSecond() >= 0, "expiry: " + token.expiresAt());
        require(token.signingKeyId().equals("k"), "key: " + token.signingKeyId());
        Grant.of(token, "0".repeat(64));
        try {
            reader.read(text + "A");
            throw new AssertionError("a second spelling is read");
        } catch (TokenRejectedException _) {
            // As it must be: "AAAAA" is no base64url.
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** Takes every signature as good. */
    private static final class TrustingVerifier implements JWSVerifier {
        private final JCAContext context = new JCAContext();

        @Override
        public boolean verify(JWSHeader header, byte[] signed, Base64URL signature) {
            return true;
        }

        @Override
        public Set<JWSAlgorithm> supportedJWSAlgorithms() {
            return Set.of(JWSAlgorithm.RS256);
        }

        @Override
        public JCAContext getJCAContext() {
            return context;
        }
    }
}
