package touchline.packager.delivery;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A request for a page to watch, or for what such a page asks: {@code /{playback_id}} with {@code
 * /embed}, {@code /oembed.json} and {@code /watch.json} below it. Immutable, any thread.
 *
 * @param playbackId letters, digits, {@code -} and {@code _}
 * @param token the {@code token} query parameter; never to be logged
 * @param maxWidth of an embedded player, in CSS pixels, as oEmbed requests it
 * @param maxHeight of an embedded player, in CSS pixels, as oEmbed requests it
 * @param remote the viewer's address
 * @param referrer the Referer header
 */
public record PageRequest(
        Kind kind,
        String playbackId,
        Optional<String> token,
        OptionalInt maxWidth,
        OptionalInt maxHeight,
        InetAddress remote,
        Optional<String> referrer) {
    /** What is requested of a playback id. */
    public enum Kind {
        /** The whole page. */
        WATCH,
        /** The player alone, for other sites. */
        EMBED,
        /** How to embed it, <a href="https://oembed.com/">oEmbed 1.0</a>. */
        OEMBED,
        /** What is on the air, for a page that is open. */
        STATE
    }

    private static final int MAX_ID_CHARACTERS = 64;
    private static final int MAX_DIGITS = 5;

    /** Kind and playback id of a request target in origin form; empty for other paths. */
    static Optional<Named> parse(String target) {
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        int end = path.indexOf('/', 1);
        String id = path.isEmpty() ? "" : path.substring(1, end < 0 ? path.length() : end);
        if (!path.startsWith("/") || !isId(id)) {
            return Optional.empty();
        }
        return (end < 0 ? Optional.of(Kind.WATCH) : below(path.substring(end)))
                .map(kind -> new Named(kind, id));
    }

    private static Optional<Kind> below(String rest) {
        return switch (rest) {
            case "/embed" -> Optional.of(Kind.EMBED);
            case "/oembed.json" -> Optional.of(Kind.OEMBED);
            case "/watch.json" -> Optional.of(Kind.STATE);
            default -> Optional.empty();
        };
    }

    /** What the path names. */
    record Named(Kind kind, String playbackId) {
        /**
         * @param target with the query
         */
        PageRequest with(String target, InetAddress remote, Optional<String> referrer) {
            Map<String, List<String>> query = new QueryStringDecoder(target).parameters();
            return new PageRequest(
                    kind,
                    playbackId,
                    first(query, "token"),
                    pixels(query, "maxwidth"),
                    pixels(query, "maxheight"),
                    remote,
                    referrer);
        }

        private static Optional<String> first(Map<String, List<String>> query, String name) {
            return query.getOrDefault(name, List.of()).stream()
                    .findFirst()
                    .filter(text -> !text.isEmpty());
        }

        /** What is no number is absent: consumers of oEmbed send anything. */
        private static OptionalInt pixels(Map<String, List<String>> query, String name) {
            return first(query, name)
                    .filter(text -> text.length() <= MAX_DIGITS)
                    .filter(text -> text.chars().allMatch(c -> c >= '0' && c <= '9'))
                    .map(text -> OptionalInt.of(Integer.parseInt(text)))
                    .orElse(OptionalInt.empty());
        }
    }

    private static boolean isId(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_ID_CHARACTERS
                && text.chars()
                        .allMatch(
                                c ->
                                        (c >= 'a' && c <= 'z')
                                                || (c >= 'A' && c <= 'Z')
                                                || (c >= '0' && c <= '9')
                                                || c == '-'
                                                || c == '_');
    }

    /** As a request for media, for the check of its token. */
    public PlaybackRequest playback() {
        return new PlaybackRequest(
                playbackId,
                PlaybackRequest.Resource.MULTIVARIANT,
                token,
                Optional.empty(),
                remote,
                referrer);
    }

    @Override
    public String toString() {
        return "PageRequest[kind=" + kind + ", playbackId=" + playbackId + ", token masked]";
    }
}
