package touchline.packager.hls;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A segment and its lines in a media playlist. Each line is rendered once, when its part or segment
 * is finished, and shared by all playlists. Immutable, any thread.
 *
 * <p>Durations are whole milliseconds, as dates are: a part or segment ends at the last whole
 * millisecond of session time before its end, where the next one begins. So durations add up to
 * media time, and dates never disagree with them, for which Shaka Player (5.2) would lose its
 * place: decision 0101.
 *
 * @param segment as it is now
 * @param firstPart number of its first part in addresses
 * @param date EXT-X-PROGRAM-DATE-TIME
 * @param parts an EXT-X-PART line for each part, in order; empty where they are not listed any more
 * @param end EXTINF and the address; empty until the segment is sealed
 */
record PlaylistSegment(MediaSegment segment, int firstPart, String date, String parts, String end) {

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final long US_PER_SECOND = 1_000_000;
    private static final long US_PER_MILLISECOND = 1_000;

    /** Before the last lines of a segment whose media is not to be had. */
    static final String GAP = "#EXT-X-GAP\n";

    /** A segment without parts yet, not behind a discontinuity. */
    static PlaylistSegment of(MediaSegment segment) {
        return of(segment, /* firstPart= */ 0);
    }

    /** A segment without parts yet. */
    static PlaylistSegment of(MediaSegment segment, int firstPart) {
        return new PlaylistSegment(segment, firstPart, date(segment.programDateTime()), "", "");
    }

    /** The line with the date of a segment. */
    static String date(Instant at) {
        return "#EXT-X-PROGRAM-DATE-TIME:" + DATE.format(at) + "\n";
    }

    private static String end(MediaSegment segment) {
        return end(segment.mediaSequence(), segment.startUs(), segment.durationUs());
    }

    /** The last lines of a segment. */
    static String end(long mediaSequence, long startUs, long durationUs) {
        return "#EXTINF:"
                + seconds(listedUs(startUs, durationUs))
                + ",\ns"
                + mediaSequence
                + ".m4s\n";
    }

    PlaylistSegment with(MediaSegment.Part part) {
        String line =
                "#EXT-X-PART:DURATION="
                        + seconds(listedUs(segment.endUs(), part.durationUs()))
                        + ",URI=\""
                        + nextPartUri()
                        + (part.independent() ? "\",INDEPENDENT=YES\n" : "\"\n");
        return new PlaylistSegment(segment.with(part), firstPart, date, parts + line, end);
    }

    PlaylistSegment seal() {
        return new PlaylistSegment(segment.seal(), firstPart, date, parts, end(segment));
    }

    /** A number whose media is lost, or never was: players do not load it (EXT-X-GAP). */
    static PlaylistSegment gap(MediaSegment segment) {
        return new PlaylistSegment(
                segment,
                /* firstPart= */ 0,
                date(segment.programDateTime()),
                "",
                GAP + end(segment));
    }

    boolean isGap() {
        return end.startsWith(GAP);
    }

    /** The same without its parts, which are too old to be listed. */
    PlaylistSegment withoutParts() {
        return parts.isEmpty() ? this : new PlaylistSegment(segment, firstPart, date, "", end);
    }

    /** Address of the next part, while the segment grows. */
    String nextPartUri() {
        return partUri(segment.mediaSequence(), firstPart + segment.parts().size());
    }

    static String partUri(long mediaSequence, int number) {
        return "s" + mediaSequence + "." + number + ".m4s";
    }

    private static long listedUs(long startUs, long durationUs) {
        return wholeMilliseconds(startUs + durationUs) - wholeMilliseconds(startUs);
    }

    private static long wholeMilliseconds(long us) {
        return us - Math.floorMod(us, US_PER_MILLISECOND);
    }

    /** Exact to the microsecond. */
    static String seconds(long us) {
        long rest = us % US_PER_SECOND;
        return us / US_PER_SECOND + "." + String.valueOf(US_PER_SECOND + rest).substring(1);
    }
}
