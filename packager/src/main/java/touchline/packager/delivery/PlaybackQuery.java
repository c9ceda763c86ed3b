package touchline.packager.delivery;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The query parameters of the playback plane; others are ignored. Immutable, any thread.
 *
 * @param mediaSequence {@code _HLS_msn}
 * @param part {@code _HLS_part}; only with {@code _HLS_msn}
 * @param skip {@code _HLS_skip} is {@code YES} or {@code v2}
 * @param dvr {@code dvr=1}: from the session's start
 * @param token never to be logged
 * @param download the name to save an MP4 under; any text
 * @param time of a thumbnail; any text
 * @param width of a thumbnail; any text
 * @param cmcd {@code CMCD}, with its percent escapes; any text
 */
record PlaybackQuery(
        OptionalLong mediaSequence,
        OptionalInt part,
        boolean skip,
        boolean dvr,
        Optional<String> token,
        Optional<String> download,
        Optional<String> time,
        Optional<String> width,
        Optional<String> cmcd) {
    private static final PlaybackQuery NONE =
            new PlaybackQuery(
                    OptionalLong.empty(),
                    OptionalInt.empty(),
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    /**
     * Reads the query of a request target; the first of several parameters of one name counts. An
     * empty parameter is absent.
     *
     * @throws BadQueryException where a delivery directive has no meaning
     */
    static PlaybackQuery parse(String target) {
        int at = target.indexOf('?');
        if (at < 0) {
            return NONE;
        }
        Reader reader = new Reader();
        while (at < target.length()) {
            int end = target.indexOf('&', at + 1);
            int next = end < 0 ? target.length() : end;
            int equals = target.indexOf('=', at + 1);
            if (equals > 0 && equals + 1 < next) {
                reader.parameter(
                        target.substring(at + 1, equals), target.substring(equals + 1, next));
            }
            at = next;
        }
        return reader.query();
    }

    /** The request is answered with 400 and this message. */
    static final class BadQueryException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String reason;

        BadQueryException(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    private static final class Reader {
        private OptionalLong mediaSequence = OptionalLong.empty();
        private OptionalLong part = OptionalLong.empty();
        private boolean skip;
        private boolean dvr;
        private Optional<String> token = Optional.empty();
        private Optional<String> download = Optional.empty();
        private Optional<String> time = Optional.empty();
        private Optional<String> width = Optional.empty();
        private Optional<String> cmcd = Optional.empty();

        void parameter(String name, String value) {
            switch (name) {
                case "_HLS_msn" ->
                        mediaSequence =
                                mediaSequence.isPresent()
                                        ? mediaSequence
                                        : number(name, value, Long.MAX_VALUE / 2);
                case "_HLS_part" ->
                        part = part.isPresent() ? part : number(name, value, Integer.MAX_VALUE);
                case "_HLS_skip" -> skip = value.equals("YES") || value.equals("v2");
                case "dvr" -> dvr = value.equals("1");
                case "token" -> token = token.isPresent() ? token : Optional.of(decode(value));
                case "download" ->
                        download = download.isPresent() ? download : Optional.of(text(value));
                case "time" -> time = time.isPresent() ? time : Optional.of(decode(value));
                case "width" -> width = width.isPresent() ? width : Optional.of(decode(value));
                case "CMCD" -> cmcd = cmcd.isPresent() ? cmcd : Optional.of(value);
                default -> {}
            }
        }

        /** draft-pantos-hls-rfc8216bis-20, 6.2.5.2: a part is only named with its segment. */
        PlaybackQuery query() {
            if (part.isPresent() && mediaSequence.isEmpty()) {
                throw new BadQueryException("_HLS_part without _HLS_msn");
            }
            OptionalInt wantedPart =
                    part.isPresent() ? OptionalInt.of((int) part.getAsLong()) : OptionalInt.empty();
            return new PlaybackQuery(
                    mediaSequence, wantedPart, skip, dvr, token, download, time, width, cmcd);
        }

        private static OptionalLong number(String name, String value, long max) {
            long number = 0;
            for (int i = 0; i < value.length(); i++) {
                int digit = value.charAt(i) - '0';
                if (digit < 0 || digit > 9 || number > (max - digit) / 10) {
                    throw new BadQueryException(name + ": not a decimal number in range");
                }
                number = number * 10 + digit;
            }
            return OptionalLong.of(number);
        }

        /**
         * Text in UTF-8, escaped or not: the request line is read byte by byte. Other bytes count
         * as Latin-1.
         */
        private static String text(String value) {
            String bytes = value;
            try {
                bytes = QueryStringDecoder.decodeComponent(value, StandardCharsets.ISO_8859_1);
                ByteBuffer encoded = ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1));
                return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
            } catch (IllegalArgumentException | CharacterCodingException _) {
                return bytes;
            }
        }

        /** A value that cannot be decoded stays as received: no check accepts such a token. */
        private static String decode(String value) {
            if (value.indexOf('%') < 0 && value.indexOf('+') < 0) {
                return value;
            }
            try {
                return QueryStringDecoder.decodeComponent(value);
            } catch (IllegalArgumentException _) {
                return value;
            }
        }
    }
}
