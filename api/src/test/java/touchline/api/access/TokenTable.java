package touchline.api.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

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
    private final TokenForge stranger = TokenForge.create("key_stranger");
    private final TokenForge impostor;
    private final String id;
    private final long now;
    private final List<Row> rows = new ArrayList<>();

    private TokenTable(TokenForge forge, String playbackId, long nowSeconds) {
        this.forge = forge;
        this.impostor = TokenForge.create(forge.keyId());
        this.id = playbackId;
        this.now = nowSeconds;
    }

    /**
     * @param playbackId letters and digits, for a viewer at 127.0.0.1 who sends no Referer
     */
    public static List<Row> of(TokenForge forge, String playbackId, long nowSeconds) {
        TokenTable table = new TokenTable(forge, playbackId, nowSeconds);
        table.goodOnes();
        table.algorithms();
        table.keys();
        table.signatures();
        table.audiences();
        table.subjects();
        table.times();
        table.viewers();
        table.duplicates();
        table.shapes();
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
        good("expired within the skew", with("exp", Long.toString(now - 30)));
        good("nbf past", with("nbf", Long.toString(now - 5)));
        good("nbf within the skew", with("nbf", Long.toString(now + 30)));
        good("ip of the viewer", with("ip", "\"127.0.0.0/8\""));
        good("ip among others", with("ip", "[\"192.0.2.7\",\"2001:db8::/32\",\"127.0.0.1\"]"));
        good("claims that nobody knows", with("name", "\"Zoë \\u26bd\""));
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

    private void algorithms() {
        String claims = claims();
        String none = TokenForge.encoded(header("\"none\"")) + "." + TokenForge.encoded(claims);
        bad(Refusal.ALGORITHM, "none without a signature", none + ".");
        bad(Refusal.ALGORITHM, "none, signed", forge.sign(header("\"none\""), claims));
        bad(Refusal.ALGORITHM, "nOnE", forge.sign(header("\"nOnE\""), claims));
        String hs256 = header("\"HS256\"");
        String pem = forge.publicPem();
        bad(Refusal.ALGORITHM, "HS256 by the public PEM", hmac(hs256, pem.getBytes(UTF_8)));
        bad(
                Refusal.ALGORITHM,
                "HS256 by the PEM without its last newline",
                hmac(hs256, pem.strip().getBytes(UTF_8)));
        bad(Refusal.ALGORITHM, "HS256 by the DER", hmac(hs256, forge.publicDer()));
        bad(Refusal.ALGORITHM, "HS256 by the kid", hmac(hs256, forge.keyId().getBytes(UTF_8)));
        bad(
                Refusal.SIGNATURE,
                "HMAC by the PEM under RS256",
                hmac(header("\"RS256\""), pem.getBytes(UTF_8)));
        bad(Refusal.ALGORITHM, "RS384", forge.sign(header("\"RS384\""), claims, "SHA384withRSA"));
        bad(Refusal.ALGORITHM, "RS512", forge.sign(header("\"RS512\""), claims, "SHA512withRSA"));
        bad(Refusal.ALGORITHM, "PS256", forge.sign(header("\"PS256\""), claims, "RSASSA-PSS"));
        bad(Refusal.SIGNATURE, "PSS under RS256", forge.sign(forge.header(), claims, "RSASSA-PSS"));
        bad(
                Refusal.SIGNATURE,
                "SHA-1 under RS256",
                forge.sign(forge.header(), claims, "SHA1withRSA"));
        for (String alg :
                List.of("\"ES256\"", "\"rs256\"", "\"RS256 \"", "256", "[\"RS256\"]", "null")) {
            bad(Refusal.ALGORITHM, "alg " + alg, forge.sign(header(alg), claims));
        }
        bad(Refusal.ALGORITHM, "no alg", forge.sign("{\"kid\":\"" + forge.keyId() + "\"}", claims));
        bad(
                Refusal.EXTENSION,
                "crit",
                forge.sign(header("\"RS256\",\"crit\":[\"x\"],\"x\":1"), claims));
        bad(Refusal.EXTENSION, "b64 false", forge.sign(header("\"RS256\",\"b64\":false"), claims));
    }

    private String header(String alg) {
        return "{\"kid\":\"" + forge.keyId() + "\",\"alg\":" + alg + "}";
    }

    private String hmac(String header, byte[] key) {
        return TokenForge.hmac(header, claims(), key);
    }

    private void keys() {
        String claims = claims();
        bad(Refusal.KEY_ID, "no kid", forge.sign("{\"alg\":\"RS256\"}", claims));
        for (String kid : List.of("7", "null", "[\"" + forge.keyId() + "\"]", "{}")) {
            bad(Refusal.KEY_ID, "kid " + kid.replace(forge.keyId(), "…"), withKid(kid));
        }
        bad(
                Refusal.KEY_ID,
                "kid differs between header and claims",
                forge.sign(forge.header(), claims("\"kid\":\"" + stranger.keyId() + "\"")));
        bad(
                Refusal.KEY_ID,
                "kid differs in case",
                forge.sign(
                        forge.header(),
                        claims("\"kid\":\"" + forge.keyId().toUpperCase(Locale.ROOT) + "\"")));
        bad(
                Refusal.KEY_ID,
                "kid null as a claim",
                forge.sign(forge.header(), claims("\"kid\":null")));
        for (String kid :
                List.of(
                        "\"\"",
                        "\"key_unknown\"",
                        "\"../../etc/passwd\"",
                        "\"' OR 1=1 --\"",
                        "\"/dev/null\"",
                        "\"" + "k".repeat(500) + "\"")) {
            bad(Refusal.SIGNATURE, "kid " + kid, withKid(kid));
        }
        bad(Refusal.SIGNATURE, "another key", stranger.sign(stranger.header(), claims));
        bad(Refusal.SIGNATURE, "another key under this kid", impostor.sign(forge.header(), claims));
        String own = TokenForge.encoded(stranger.publicDer());
        bad(
                Refusal.SIGNATURE,
                "its own key inside (x5c)",
                impostor.sign(header("\"RS256\",\"x5c\":[\"" + own + "\"]"), claims));
        bad(
                Refusal.SIGNATURE,
                "its own key elsewhere (jku)",
                impostor.sign(header("\"RS256\",\"jku\":\"https://keys.example/\""), claims));
    }

    private String withKid(String kid) {
        return forge.sign("{\"alg\":\"RS256\",\"kid\":" + kid + "}", claims());
    }

    private void signatures() {
        String token = forge.sign(forge.header(), claims());
        String input = token.substring(0, token.lastIndexOf('.'));
        byte[] signature = forge.signature(input, "SHA256withRSA");
        byte[] altered = signature.clone();
        altered[100] ^= 1;
        bad(Refusal.SIGNATURE, "empty", input + ".");
        bad(Refusal.SIGNATURE, "one bit altered", input + "." + TokenForge.encoded(altered));
        bad(Refusal.SIGNATURE, "all zero", input + "." + TokenForge.encoded(new byte[256]));
        bad(
                Refusal.SIGNATURE,
                "cut by a byte",
                input + "." + TokenForge.encoded(java.util.Arrays.copyOf(signature, 255)));
        bad(
                Refusal.SIGNATURE,
                "one byte more",
                input + "." + TokenForge.encoded(java.util.Arrays.copyOf(signature, 257)));
        String other = forge.good(id, now + 900);
        bad(Refusal.SIGNATURE, "of other claims", input + other.substring(other.lastIndexOf('.')));
        bad(Refusal.TOKEN_MALFORMED, "padded", token + "==");
        bad(Refusal.TOKEN_MALFORMED, "bits behind the last octet", otherSpelling(token));
    }

    /** 256 octets leave four bits of the last digit unused. */
    private static String otherSpelling(String token) {
        String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        int last = token.length() - 1;
        return token.substring(0, last) + digits.charAt(digits.indexOf(token.charAt(last)) + 1);
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

    private void duplicates() {
        String kid = "\"kid\":\"" + forge.keyId() + "\"";
        bad(
                Refusal.TOKEN_MALFORMED,
                "alg twice",
                forge.sign("{\"alg\":\"none\",\"alg\":\"RS256\"," + kid + "}", claims()));
        bad(
                Refusal.TOKEN_MALFORMED,
                "kid twice",
                forge.sign("{\"alg\":\"RS256\"," + kid + "," + kid + "}", claims()));
        bad(
                Refusal.TOKEN_MALFORMED,
                "sub twice",
                forge.sign(forge.header(), claims("\"sub\":\"" + id + "\"")));
        bad(
                Refusal.TOKEN_MALFORMED,
                "sub twice, once escaped",
                forge.sign(forge.header(), claims("\"s\\u0075b\":\"" + id + "\"")));
        bad(Refusal.TOKEN_MALFORMED, "exp twice", forge.sign(forge.header(), claims("\"exp\":1")));
    }

    private void shapes() {
        String token = forge.good(id, now + 600);
        String tail = token.substring(token.indexOf('.'));
        bad(Refusal.TOKEN_TOO_LONG, "4097 bytes", token + "A".repeat(4097 - token.length()));
        bad(Refusal.TOKEN_TOO_LONG, "16 times too long", token.repeat(64).substring(0, 10_000));
        for (String text :
                List.of(
                        "x",
                        ".",
                        "..",
                        "...",
                        "null",
                        "{}",
                        "a.b",
                        token + ".x",
                        "." + token,
                        token.replace(".", ""),
                        token + " ",
                        " " + token,
                        token + "\n",
                        "Bearer " + token,
                        token.replace('.', '\u3002'),
                        "\u26bd." + tail,
                        token + "\u0000")) {
            bad(
                    Refusal.TOKEN_MALFORMED,
                    TokenForge.encoded(text).substring(0, Math.min(8, text.length())),
                    text);
        }
        for (String claims :
                List.of(
                        "",
                        "[]",
                        "\"v\"",
                        "7",
                        "null",
                        "{",
                        claims() + "x",
                        claims() + "{}",
                        "\ufeff" + claims(),
                        claims("\"x\":NaN"),
                        claims("\"x\":01"),
                        claims("/**/\"x\":1"),
                        claims("\"x\":" + "[".repeat(50) + "]".repeat(50)),
                        claims("\"x\":" + "9".repeat(200)))) {
            bad(
                    Refusal.TOKEN_MALFORMED,
                    "claims " + claims.replace(id, "ID"),
                    forge.sign(forge.header(), claims));
        }
        bad(Refusal.TOKEN_MALFORMED, "header is a list", forge.sign("[\"RS256\"]", claims()));
        String latin = "{\"alg\":\"RS256\",\"x\":\"\u00e9\",\"kid\":\"" + forge.keyId() + "\"}";
        bad(
                Refusal.TOKEN_MALFORMED,
                "not UTF-8",
                TokenForge.encoded(latin.getBytes(ISO_8859_1)) + tail);
    }
}
