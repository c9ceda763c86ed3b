package touchline.packager.delivery;

import io.netty.util.internal.StringUtil;
import java.util.Optional;

/**
 * What the path of a request names. Immutable, any thread.
 *
 * <p>Paths: {@code /{id}.m3u8}; below {@code /{id}/} and {@code /{id}/~{grant}/}: {@code
 * capped-1080p.mp4}, {@code thumbnail.jpg}, {@code chapters.vtt}, {@code {session}/media.m3u8},
 * {@code {session}/init{n}.mp4}, {@code {session}/s{msn}.m4s} and {@code
 * {session}/s{msn}.{part}.m4s}. A rendition has the same below {@code {session}/{rendition}/}, with
 * {@code init{n}.{run}.mp4}.
 *
 * @param playbackId letters, digits, {@code -} and {@code _}
 * @param grant the element behind {@code ~}; never to be logged
 * @param item what of it
 */
record PlaybackTarget(String playbackId, Optional<String> grant, Item item) {
    private static final String PLAYLIST_SUFFIX = ".m3u8";

    /** Maximum digits of a number in a name: always fits an int, or a long. */
    private static final int MAX_INT_DIGITS = 9;

    private static final int MAX_LONG_DIGITS = 18;
    private static final int MAX_ELEMENTS = 5;

    /** One addressable thing below a playback id. */
    sealed interface Item {
        record Multivariant() implements Item {}

        record Mp4() implements Item {}

        record Thumbnail() implements Item {}

        record Chapters() implements Item {}

        record MediaPlaylist(String session) implements Item {}

        record InitSegment(String session, int number) implements Item {}

        record Segment(String session, long mediaSequence) implements Item {}

        record Part(String session, long mediaSequence, int part) implements Item {}

        /**
         * Something of a rendition.
         *
         * @param name of the rendition
         * @param item a playlist, segment or part, or its init segment
         */
        record OfRendition(String session, String name, Item item) implements Item {}

        /** Init segment of a rendition that started with a segment. */
        record RunInit(String session, int number, long run) implements Item {}
    }

    /**
     * Reads the path of a request target in origin form or absolute form (RFC 9112, 3.2). It is
     * decoded once. A path consists of unreserved characters (RFC 3986, 2.3) and literal slashes;
     * anything else names nothing.
     */
    static Optional<PlaybackTarget> parse(String target) {
        String path = decode(pathOf(target));
        if (path.length() < 2 || path.charAt(0) != '/') {
            return Optional.empty();
        }
        String[] elements = path.substring(1).split("/", -1);
        if (elements.length > MAX_ELEMENTS) {
            return Optional.empty();
        }
        if (elements.length == 1) {
            return multivariant(elements[0]);
        }
        String id = elements[0];
        boolean granted = elements[1].length() > 1 && elements[1].charAt(0) == '~';
        int below = granted ? 2 : 1;
        if (!isId(id) || elements.length == below) {
            return Optional.empty();
        }
        Optional<String> grant = granted ? Optional.of(elements[1].substring(1)) : Optional.empty();
        return switch (elements.length - below) {
            case 1 -> download(elements[below]).map(item -> new PlaybackTarget(id, grant, item));
            case 2 ->
                    item(elements[below], elements[below + 1])
                            .map(item -> new PlaybackTarget(id, grant, item));
            case 3 ->
                    ofRendition(elements[below], elements[below + 1], elements[below + 2])
                            .map(item -> new PlaybackTarget(id, grant, item));
            default -> Optional.empty();
        };
    }

    private static Optional<PlaybackTarget> multivariant(String name) {
        if (!name.endsWith(PLAYLIST_SUFFIX)) {
            return Optional.empty();
        }
        String id = name.substring(0, name.length() - PLAYLIST_SUFFIX.length());
        return isId(id)
                ? Optional.of(new PlaybackTarget(id, Optional.empty(), new Item.Multivariant()))
                : Optional.empty();
    }

    private static Optional<Item> download(String name) {
        return switch (name) {
            case "capped-1080p.mp4" -> Optional.of(new Item.Mp4());
            case "thumbnail.jpg" -> Optional.of(new Item.Thumbnail());
            case "chapters.vtt" -> Optional.of(new Item.Chapters());
            default -> Optional.empty();
        };
    }

    private static Optional<Item> item(String session, String name) {
        if (!isSession(session)) {
            return Optional.empty();
        }
        if (name.equals("media.m3u8")) {
            return Optional.of(new Item.MediaPlaylist(session));
        }
        if (name.startsWith("s") && name.endsWith(".m4s")) {
            return media(session, name);
        }
        if (name.startsWith("init") && name.endsWith(".mp4")) {
            long number = number(name, 4, name.length() - 4, MAX_INT_DIGITS);
            return number < 0
                    ? Optional.empty()
                    : Optional.of(new Item.InitSegment(session, (int) number));
        }
        return Optional.empty();
    }

    private static Optional<Item> ofRendition(String session, String rendition, String name) {
        if (!isId(rendition)) {
            return Optional.empty();
        }
        Optional<Item> item =
                name.startsWith("init") ? runInit(session, name) : item(session, name);
        return item.map(found -> new Item.OfRendition(session, rendition, found));
    }

    private static Optional<Item> runInit(String session, String name) {
        int dot = name.indexOf('.');
        if (!isSession(session) || !name.endsWith(".mp4") || dot == name.length() - 4) {
            return Optional.empty();
        }
        long number = number(name, 4, dot, MAX_INT_DIGITS);
        long run = number(name, dot + 1, name.length() - 4, MAX_LONG_DIGITS);
        return number < 0 || run < 0
                ? Optional.empty()
                : Optional.of(new Item.RunInit(session, (int) number, run));
    }

    private static boolean isSession(String text) {
        return !text.isEmpty() && text.charAt(0) != '.' && text.charAt(0) != '~';
    }

    private static Optional<Item> media(String session, String name) {
        int end = name.length() - 4;
        int dot = name.indexOf('.');
        long mediaSequence = number(name, 1, dot, MAX_LONG_DIGITS);
        if (mediaSequence < 0) {
            return Optional.empty();
        }
        if (dot == end) {
            return Optional.of(new Item.Segment(session, mediaSequence));
        }
        long part = number(name, dot + 1, end, MAX_INT_DIGITS);
        return part < 0
                ? Optional.empty()
                : Optional.of(new Item.Part(session, mediaSequence, (int) part));
    }

    /** Decimal without leading zeros, so that each resource has one address; -1 otherwise. */
    private static long number(String text, int from, int to, int maxDigits) {
        int digits = to - from;
        if (digits < 1 || digits > maxDigits || (digits > 1 && text.charAt(from) == '0')) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            value = value * 10 + (digit - '0');
        }
        return value;
    }

    private static boolean isId(String text) {
        if (text.isEmpty()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' || c == '~') {
                return false;
            }
        }
        return true;
    }

    private static String pathOf(String target) {
        int from = 0;
        if (target.startsWith("http://") || target.startsWith("https://")) {
            from = target.indexOf('/', target.indexOf("//") + 2);
            if (from < 0) {
                return "";
            }
        }
        int query = target.indexOf('?', from);
        return target.substring(from, query < 0 ? target.length() : query);
    }

    /** The path with its escapes decoded; empty if it has an invalid character. */
    private static String decode(String path) {
        if (path.indexOf('%') < 0) {
            for (int i = 0; i < path.length(); i++) {
                if (path.charAt(i) != '/' && !isUnreserved(path.charAt(i))) {
                    return "";
                }
            }
            return path;
        }
        StringBuilder decoded = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '%') {
                int value = i + 2 < path.length() ? hexByte(path, i + 1) : -1;
                if (value < 0 || !isUnreserved((char) value)) {
                    return "";
                }
                decoded.append((char) value);
                i += 2;
            } else if (c == '/' || isUnreserved(c)) {
                decoded.append(c);
            } else {
                return "";
            }
        }
        return decoded.toString();
    }

    private static int hexByte(String text, int at) {
        int high = StringUtil.decodeHexNibble(text.charAt(at));
        int low = StringUtil.decodeHexNibble(text.charAt(at + 1));
        return high < 0 || low < 0 ? -1 : (high << 4) | low;
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_'
                || c == '.'
                || c == '~';
    }
}
