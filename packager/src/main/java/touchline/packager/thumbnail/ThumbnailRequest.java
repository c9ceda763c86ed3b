package touchline.packager.thumbnail;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Requested time and width of a thumbnail. Immutable, any thread.
 *
 * @param timeUs since the first frame of the session or asset; empty for the default frame
 * @param maxWidth even; the frame is never wider than it was coded
 */
public record ThumbnailRequest(OptionalLong timeUs, int maxWidth) {
    /** Where nothing is asked for. */
    public static final int DEFAULT_WIDTH = 640;

    public static final int MIN_WIDTH = 16;

    /** Neither side of a thumbnail is longer. */
    public static final int MAX_SIDE = 1920;

    private static final Pattern SECONDS = Pattern.compile("([0-9]{1,9})(?:\\.([0-9]{1,9}))?");
    private static final Pattern PIXELS = Pattern.compile("[0-9]{1,4}");
    private static final int FRACTION_DIGITS = 6;
    private static final long US_PER_SECOND = 1_000_000;

    /**
     * Reads the query parameters of a request.
     *
     * @param time seconds, with a fraction if need be
     * @param width in pixels; an odd one is made even
     * @throws BadThumbnailRequestException where one of them means nothing
     */
    public static ThumbnailRequest parse(Optional<String> time, Optional<String> width) {
        return new ThumbnailRequest(
                time.map(text -> OptionalLong.of(timeUs(text))).orElseGet(OptionalLong::empty),
                width.map(ThumbnailRequest::width).orElse(DEFAULT_WIDTH));
    }

    /** The reason names the parameter, and holds no foreign text. */
    public static final class BadThumbnailRequestException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String reason;

        BadThumbnailRequestException(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        public String reason() {
            return reason;
        }
    }

    private static long timeUs(String text) {
        var matcher = SECONDS.matcher(text);
        if (!matcher.matches()) {
            throw new BadThumbnailRequestException(
                    "time: not a number of seconds (expected: 0 or more)");
        }
        String fraction = matcher.group(2) == null ? "" : matcher.group(2);
        String us = (fraction + "000000").substring(0, FRACTION_DIGITS);
        return Long.parseLong(matcher.group(1)) * US_PER_SECOND + Long.parseLong(us);
    }

    private static int width(String text) {
        int width = PIXELS.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (width < MIN_WIDTH || width > MAX_SIDE) {
            throw new BadThumbnailRequestException(
                    "width: not a whole number from " + MIN_WIDTH + " to " + MAX_SIDE);
        }
        return width & ~1;
    }
}
