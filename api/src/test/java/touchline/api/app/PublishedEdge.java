package touchline.api.app;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The media of a playlist, by its own clock: ranges of media with the wall-clock time of their
 * frames (EXT-X-PROGRAM-DATE-TIME), parts included.
 */
final class PublishedEdge {
    private static final Pattern MEDIA_SEQUENCE = Pattern.compile("#EXT-X-MEDIA-SEQUENCE:(\\d+)");
    private static final Pattern PART = Pattern.compile("DURATION=([0-9.]+)");

    /** A segment or the parts of one that is not complete, in Unix milliseconds. */
    record MediaRange(double fromMs, double toMs) {}

    private PublishedEdge() {}

    /** The media sequence number of the segment behind those of a media playlist. */
    static long nextSegment(String playlist) {
        Matcher first = MEDIA_SEQUENCE.matcher(playlist);
        if (!first.find()) {
            throw new AssertionError("no media playlist: " + playlist);
        }
        return Long.parseLong(first.group(1))
                + playlist.lines().filter(line -> line.startsWith("#EXTINF")).count();
    }

    static List<MediaRange> ranges(String playlist) {
        List<MediaRange> ranges = new ArrayList<>();
        double atMs = Double.NaN;
        double partsMs = 0;
        for (String line : playlist.lines().toList()) {
            if (line.startsWith("#EXT-X-PROGRAM-DATE-TIME:")) {
                atMs = millis(line.substring("#EXT-X-PROGRAM-DATE-TIME:".length()));
                partsMs = 0;
            } else if (line.startsWith("#EXT-X-PART:")) {
                Matcher duration = PART.matcher(line);
                if (duration.find()) {
                    partsMs += 1_000 * Double.parseDouble(duration.group(1));
                }
            } else if (line.startsWith("#EXTINF:")) {
                double ms = 1_000 * Double.parseDouble(line.substring(8, line.indexOf(',')));
                ranges.add(new MediaRange(atMs, atMs + ms));
                atMs += ms;
                partsMs = 0;
            }
        }
        if (partsMs > 0) {
            ranges.add(new MediaRange(atMs, atMs + partsMs));
        }
        return ranges;
    }

    /** Where the newest media ends, in Unix milliseconds; 0 where there is none. */
    static double endMs(String playlist) {
        List<MediaRange> ranges = ranges(playlist);
        return ranges.isEmpty() ? 0 : ranges.getLast().toMs();
    }

    private static double millis(String text) {
        Instant instant = OffsetDateTime.parse(text).toInstant();
        return instant.toEpochMilli();
    }
}
