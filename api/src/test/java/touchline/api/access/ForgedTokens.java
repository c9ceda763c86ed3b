package touchline.api.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import touchline.api.access.TokenTable.Row;

/** The part of the table about algorithms, keys, signatures and the shape of the text. */
final class ForgedTokens {
    private final TokenForge forge;
    private final TokenForge stranger = TokenForge.create("key_stranger");
    private final TokenForge impostor;
    private final String id;
    private final long now;
    private final List<Row> rows = new ArrayList<>();

    ForgedTokens(TokenForge forge, String playbackId, long nowSeconds) {
        this.forge = forge;
        this.impostor = TokenForge.create(forge.keyId());
        this.id = playbackId;
        this.now = nowSeconds;
        algorithms();
        keys();
        signatures();
        duplicates();
        shapes();
    }

    List<Row> rows() {
        return rows;
    }

    private void bad(Refusal why, String name, String token) {
        rows.add(new Row(why + ": " + name, token, List.of(why)));
    }

    private String claims(String... more) {
        return TokenForge.claims(id, now + 600, more);
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
                input + "." + TokenForge.encoded(Arrays.copyOf(signature, 255)));
        bad(
                Refusal.SIGNATURE,
                "one byte more",
                input + "." + TokenForge.encoded(Arrays.copyOf(signature, 257)));
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
