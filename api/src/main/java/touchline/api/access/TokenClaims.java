package touchline.api.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.media.net.AddressBlock;

/** Reads the claims of a token with a valid signature. Stateless, any thread. */
final class TokenClaims {
    /** The one audience: tokens that the same key signs for another purpose open nothing here. */
    private static final String AUDIENCE = "v";

    /** 9999-12-31T23:59:59Z: what is later is no sooner refused. */
    private static final double LAST_SECOND = 253_402_300_799.0;

    private TokenClaims() {}

    static PlaybackToken read(ObjectNode claims, String keyId) throws TokenRejectedException {
        require(isAudience(claims.path("aud")), Refusal.AUDIENCE);
        require(claims.path("sub").isTextual(), Refusal.SUBJECT);
        require(claims.path("exp").isNumber(), Refusal.EXPIRY);
        require(!claims.has("nbf") || claims.path("nbf").isNumber(), Refusal.NOT_BEFORE);
        return new PlaybackToken(
                keyId,
                claims.path("sub").textValue(),
                instant(claims.path("exp")),
                claims.has("nbf") ? Optional.of(instant(claims.path("nbf"))) : Optional.empty(),
                new ViewerRules(addresses(claims), referrers(claims)));
    }

    private static boolean isAudience(JsonNode aud) {
        JsonNode only = aud.isArray() && aud.size() == 1 ? aud.get(0) : aud;
        return only.isTextual() && only.textValue().equals(AUDIENCE);
    }

    /** NumericDate (RFC 7519, 2): seconds, fractions cut off, kept within what an Instant shows. */
    private static Instant instant(JsonNode seconds) {
        double cut = Math.floor(seconds.doubleValue());
        return Instant.ofEpochSecond((long) Math.clamp(cut, 0, LAST_SECOND));
    }

    private static List<AddressBlock> addresses(ObjectNode claims) throws TokenRejectedException {
        List<AddressBlock> blocks = new ArrayList<>();
        for (String text : texts(claims, "ip", Refusal.ADDRESS_RULES)) {
            try {
                blocks.add(AddressBlock.parse(text));
            } catch (IllegalArgumentException _) {
                throw new TokenRejectedException(Refusal.ADDRESS_RULES);
            }
        }
        return blocks;
    }

    private static List<String> referrers(ObjectNode claims) throws TokenRejectedException {
        List<String> hosts = texts(claims, "ref", Refusal.REFERRER_RULES);
        require(hosts.stream().allMatch(ViewerRules::isHost), Refusal.REFERRER_RULES);
        return hosts;
    }

    /**
     * A text, or a list of some; none where the claim is absent. An empty list allows no viewer.
     */
    private static List<String> texts(ObjectNode claims, String name, Refusal otherwise)
            throws TokenRejectedException {
        JsonNode claim = claims.get(name);
        if (claim == null) {
            return List.of();
        }
        if (claim.isTextual()) {
            return List.of(claim.textValue());
        }
        int size = claim.isArray() ? claim.size() : 0;
        require(size >= 1 && size <= ViewerRules.MAX_ENTRIES, otherwise);
        List<String> texts = new ArrayList<>();
        for (JsonNode entry : claim) {
            require(entry.isTextual(), otherwise);
            texts.add(entry.textValue());
        }
        return texts;
    }

    private static void require(boolean holds, Refusal otherwise) throws TokenRejectedException {
        if (!holds) {
            throw new TokenRejectedException(otherwise);
        }
    }
}
