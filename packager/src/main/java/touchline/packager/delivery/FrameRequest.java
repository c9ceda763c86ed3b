package touchline.packager.delivery;

import java.util.Optional;

/**
 * A signed link to an evidence frame: {@code /frames/{name}.jpg?exp=…&sig=…}.
 *
 * @param name letters and digits
 * @param expiry the parameter exp as received; empty if missing
 * @param signature the parameter sig as received; never to be logged
 */
public record FrameRequest(String name, String expiry, String signature) {
    private static final String FOLDER = "/frames/";
    private static final String SUFFIX = ".jpg";
    private static final int MAX_NAME_CHARACTERS = 64;

    /** Parses a target in origin form; empty for other paths. */
    static Optional<FrameRequest> parse(String target) {
        if (!target.startsWith(FOLDER)) {
            return Optional.empty();
        }
        int query = target.indexOf('?');
        int end = query < 0 ? target.length() : query;
        if (!target.startsWith(SUFFIX, end - SUFFIX.length())) {
            return Optional.empty();
        }
        String name = target.substring(FOLDER.length(), end - SUFFIX.length());
        if (!isName(name)) {
            return Optional.empty();
        }
        return Optional.of(
                new FrameRequest(
                        name, parameter(target, end, "exp="), parameter(target, end, "sig=")));
    }

    /** The same link below {@code /frames/}; of a link that was checked. Never to be logged. */
    String below() {
        return name + SUFFIX + "?exp=" + expiry + "&sig=" + signature;
    }

    private static boolean isName(String text) {
        if (text.isEmpty() || text.length() > MAX_NAME_CHARACTERS) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) {
                return false;
            }
        }
        return true;
    }

    /** Neither parameter needs an escape: an escaped one is not from this server. */
    private static String parameter(String target, int from, String nameAndEquals) {
        int at = from;
        while (at < target.length()) {
            int next = target.indexOf('&', at + 1);
            int end = next < 0 ? target.length() : next;
            if (target.startsWith(nameAndEquals, at + 1)) {
                return target.substring(at + 1 + nameAndEquals.length(), end);
            }
            at = end;
        }
        return "";
    }

    @Override
    public String toString() {
        return "FrameRequest[name=" + name + ", signature masked]";
    }
}
