package touchline.api.http;

import java.util.Arrays;

/** Encodes a label of a host name (RFC 3492, 6.3). Stateless. */
final class Punycode {
    private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int BASE = DIGITS.length();
    private static final int MIN_THRESHOLD = 1;
    private static final int MAX_THRESHOLD = 26;
    private static final int SKEW = 38;
    private static final int DAMP = 700;
    private static final int INITIAL_BIAS = 72;
    private static final int INITIAL_CODE = 128;

    private Punycode() {}

    /** Without the prefix {@code xn--}. */
    static String encoded(String label) {
        int[] codes = label.codePoints().toArray();
        StringBuilder encoded = new StringBuilder();
        Arrays.stream(codes).filter(code -> code < INITIAL_CODE).forEach(encoded::appendCodePoint);
        int basic = encoded.length();
        if (basic > 0) {
            encoded.append('-');
        }
        int code = INITIAL_CODE;
        int delta = 0;
        int bias = INITIAL_BIAS;
        int handled = basic;
        while (handled < codes.length) {
            int least = code;
            int next = Arrays.stream(codes).filter(each -> each >= least).min().orElseThrow();
            delta = Math.addExact(delta, Math.multiplyExact(next - code, handled + 1));
            code = next;
            for (int each : codes) {
                if (each < code) {
                    delta++;
                } else if (each == code) {
                    append(delta, bias, encoded);
                    bias = adapted(delta, handled + 1, handled == basic);
                    delta = 0;
                    handled++;
                }
            }
            delta++;
            code++;
        }
        return encoded.toString();
    }

    /** A number of variable length. */
    private static void append(int delta, int bias, StringBuilder encoded) {
        int rest = delta;
        for (int place = BASE; ; place += BASE) {
            int threshold = Math.clamp((long) place - bias, MIN_THRESHOLD, MAX_THRESHOLD);
            if (rest < threshold) {
                encoded.append(digit(rest));
                return;
            }
            encoded.append(digit(threshold + (rest - threshold) % (BASE - threshold)));
            rest = (rest - threshold) / (BASE - threshold);
        }
    }

    private static char digit(int value) {
        return DIGITS.charAt(value);
    }

    private static int adapted(int delta, int points, boolean first) {
        int rest = first ? delta / DAMP : delta / 2;
        rest += rest / points;
        int place = 0;
        while (rest > (BASE - MIN_THRESHOLD) * MAX_THRESHOLD / 2) {
            rest /= BASE - MIN_THRESHOLD;
            place += BASE;
        }
        return place + (BASE - MIN_THRESHOLD + 1) * rest / (rest + SKEW);
    }
}
