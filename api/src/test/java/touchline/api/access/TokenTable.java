package touchline.api.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tokens of every kind for one playback id and one key, with what must become of them. */
public final class TokenTable {
    /**
     * @param why empty: it opens the playback id
     */
    public record Row(String name, String token, List<Refusal> why) {
        @Override
        public String toString() {
            return name;
        }

        public boolean isGood() {
            return why.isEmpty();
        }
    }

    private final TokenForge forge;
    private final String id;
    private final long now;
    private final List<Row> rows = new ArrayList<>();

    private TokenTable(TokenForge forge, String playbackId, long nowSeconds) {
        this.forge = forge;
        this.id = playbackId;
        this.now = nowSeconds;
    }

    /**
     * @param playbackId letters and digits, for a viewer at 127.0.0.1 without a Referer
     */
    public static List<Row> of(TokenForge forge, String playbackId, long nowSeconds) {
        TokenTable table = new TokenTable(forge, playbackId, nowSeconds);
        table.goodOnes();
        table.audiences();
        table.subjects();
        table.times();
        table.viewers();
        table.rows.addAll(new ForgedTokens(forge, playbackId, nowSeconds).rows());
        return List.copyOf(table.rows);
    }

    private void good(String name, String token) {
        rows.add(new Row("good: " + name, token, List.of()));
    }

    private void bad(Refusal why, String name, String token) {
        rows.add(new Row(why + ": " + name, token, List.of(why)));
    }

    private String claims(String... more) {
        return TokenForge.claims(id, now + 600, more);
    }

    /** With this member and nothing else of its name. */
    private String with(String name, String value) {
        String all =
                "\"sub\":\"%s\",\"aud\":\"v\",\"exp\":%d,\"kid\":\"%s\""
                        .formatted(id, now + 600, forge.keyId());
        String left = all.replaceFirst("\"" + name + "\":(\"[^\"]*\"|[0-9]+),?", "");
        String member = value.isEmpty() ? "" : ",\"" + name + "\":" + value;
        String json = "{" + left.replaceFirst(",$", "") + member + "}";
        return forge.sign("{\"alg\":\"RS256\"}", json);
    }

    private void goodOnes() {
        String header = forge.header();
        String kid = "\"kid\":\"" + forge.keyId() + "\"";
        good("kid in the header", forge.sign(header, claims()));
        good("kid as a claim", forge.sign("{\"alg\":\"RS256\"}", claims(kid)));
        good("kid in both", forge.sign(header, claims(kid)));
        good("aud as a list of one", with("aud", "[\"v\"]"));
        good("exp in ten thousand years", with("exp", "315569520000"));
        good("exp beyond a long", with("exp", "1e30"));
        good("exp with a fraction", with("exp", (now + 600) + ".5"));
        good("expired within the skew", with("exp", Long.toString(now - 1)));
        good("nbf past", with("nbf", Long.toString(now - 5)));
        good("nbf within the skew", with("nbf", Long.toString(now + 30)));
        good("ip of the viewer", with("ip", "\"127.0.0.0/8\""));
        good("ip among others", with("ip", "[\"192.0.2.7\",\"2001:db8::/32\",\"127.0.0.1\"]"));
        good("unknown claims", with("name", "\"Zoë \\u26bd\""));
        good(
                "white space and other headers",
                forge.sign(
                        "{ \"kid\" : \"%s\",\n\"alg\":\"RS256\", \"jku\":\"http://127.0.0.1/\" }"
                                .formatted(forge.keyId()),
                        " " + claims() + "\n"));
        int room = 4096 - forge.sign(header, claims("\"pad\":\"\"")).length();
        String padded =
                forge.sign(header, claims("\"pad\":\"" + "x".repeat(room * 3 / 4 - 2) + "\""));
        good("just below 4 KiB", padded);
    }

    private void audiences() {
        for (String aud :
                List.of(
                        "",
                        "\"V\"",
                        "\"v \"",
                        "\"video\"",
                        "\"\"",
                        "[]",
                        "[\"v\",\"w\"]",
                        "[\"v\",\"v\"]",
                        "[\"w\"]",
                        "[[\"v\"]]",
                        "{\"v\":\"v\"}",
                        "1",
                        "null",
                        "true",
                        "\"\\uff56\"")) {
            bad(Refusal.AUDIENCE, "aud " + aud, with("aud", aud));
        }
    }

    private void subjects() {
        for (String sub :
                List.of(
                        "",
                        "7",
                        "null",
                        "[\"" + id + "\"]",
                        "{}",
                        "\"\"",
                        "\"other\"",
                        "\"" + id + "x\"",
                        "\"" + id.substring(1) + "\"",
                        "\"" + id + "\\u0000\"",
                        "\"" + id + "/\"",
                        "\"*\"",
                        "\"" + swappedCase() + "\"")) {
            bad(Refusal.SUBJECT, "sub " + sub.replace(id, "ID"), with("sub", sub));
        }
    }

    private String swappedCase() {
        String upper = id.toUpperCase(Locale.ROOT);
        return upper.equals(id) ? id.toLowerCase(Locale.ROOT) : upper;
    }

    private void times() {
        for (String exp :
                List.of("", "\"" + (now + 600) + "\"", "null", "true", "[]", "{}", "\"9e99\"")) {
            bad(Refusal.EXPIRY, "exp " + exp, with("exp", exp));
        }
        bad(Refusal.EXPIRED, "a second beyond the skew", with("exp", Long.toString(now - 61)));
        bad(Refusal.EXPIRED, "0", with("exp", "0"));
        bad(Refusal.EXPIRED, "negative", with("exp", "-1e300"));
        bad(Refusal.NOT_BEFORE, "nbf as text", with("nbf", "\"" + now + "\""));
        bad(Refusal.NOT_BEFORE, "nbf null", with("nbf", "null"));
        bad(Refusal.TOO_EARLY, "nbf in an hour", with("nbf", Long.toString(now + 3600)));
    }

    private void viewers() {
        bad(Refusal.ADDRESS, "another address", with("ip", "\"192.0.2.0/24\""));
        bad(Refusal.ADDRESS, "IPv6 only", with("ip", "[\"::/0\"]"));
        for (String ip :
                List.of(
                        "7",
                        "null",
                        "[]",
                        "[7]",
                        "\"\"",
                        "\"127.0.0.1/33\"",
                        "\"localhost\"",
                        "\"127.1\"",
                        "\"127.0.0.1/8\"",
                        "[" + "\"127.0.0.1\",".repeat(16) + "\"127.0.0.1\"]")) {
            bad(Refusal.ADDRESS_RULES, "ip " + ip, with("ip", ip));
        }
        bad(Refusal.REFERRER, "a site, and none was sent", with("ref", "\"a.example\""));
        for (String ref :
                List.of(
                        "7",
                        "[]",
                        "\"\"",
                        "\"*\"",
                        "\"https://a.example\"",
                        "\"a.example/x\"",
                        "\"a.*.example\"")) {
            bad(Refusal.REFERRER_RULES, "ref " + ref, with("ref", ref));
        }
    }
}
