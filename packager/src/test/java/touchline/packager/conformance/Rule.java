package touchline.packager.conformance;

/**
 * What is checked, and the clause it stands on. Clauses without a document's name are of
 * draft-pantos-hls-rfc8216bis-20; those of "house" are this server's own promise where the draft
 * leaves it open or asks for less.
 */
public enum Rule {
    // One playlist.

    /** Known tags, well-formed values, each tag in its place and as often as it may stand. */
    SYNTAX("4.1, 4.2, 4.4"),
    /** EXT-X-VERSION is at least what the tags in use ask for. */
    VERSION("8"),
    /** EXTINF, rounded to whole seconds, is at most EXT-X-TARGETDURATION. */
    TARGET_DURATION("4.4.3.1"),
    /** A playlist with parts says PART-TARGET. */
    PART_INF("4.4.3.7"),
    /** No part lasts longer than PART-TARGET. */
    PART_TOO_LONG("4.4.4.9"),
    /**
     * Every part but a segment's last lasts at least 85 % of PART-TARGET (house: INDEPENDENT too).
     */
    PART_TOO_SHORT("4.4.4.9"),
    /** The parts of a segment last as long as its EXTINF says, to the last digit. */
    PART_SUM("4.4.4.9; house: exactly"),
    /** CAN-SKIP-UNTIL is at least six target durations. */
    CAN_SKIP_UNTIL("4.4.3.8"),
    /** HOLD-BACK is at least three target durations. */
    HOLD_BACK("4.4.3.8"),
    /** Where there are parts PART-HOLD-BACK is at least three PART-TARGETs (draft: two). */
    PART_HOLD_BACK("4.4.3.8"),
    /** Every segment carries a date: its predecessor's and that one's duration, in a timeline. */
    DATE_TIME("4.4.4.6; house: every segment, to the printed millisecond"),
    /** Every segment has an EXT-X-MAP, and another one behind a discontinuity. */
    MAP("4.4.4.5; house: a new one behind each discontinuity"),
    /**
     * Parts stand in the last three target durations, and nowhere else. Those of a server whose end
     * left a gap are not known.
     */
    PARTS_RECENT("6.2.2"),
    /** The first segment is no gap: some players never get past it. */
    GAP("4.4.4.7; house: never first"),
    /** A live playlist with a growing segment hints the next part, which it does not list yet. */
    PRELOAD_HINT("4.4.5.3; house: always while a segment grows"),

    // Playlists of one session in a row.

    /** EXT-X-MEDIA-SEQUENCE never goes back, nor does the newest media. */
    SEQUENCE_BACK("6.2.2"),
    /** A segment that is still listed is what it was: URI, duration, date, map, discontinuity. */
    SEGMENT_CHANGED("6.2.1"),
    /** A part that is still listed is what it was, and none goes before its segment's do. */
    PART_CHANGED("6.2.1"),
    /** Nothing in the head changes but the sequence numbers: EXT-X-TARGETDURATION above all. */
    HEAD_CHANGED("6.2.1"),
    /** EXT-X-DISCONTINUITY-SEQUENCE rises by the discontinuities that went, by no more or less. */
    DISCONTINUITY_SEQUENCE("6.2.2, RFC 8216, 6.2.2"),
    /** What remains when segments go lasts at least three target durations. */
    TOO_SHORT("6.2.2"),
    /** From an EVENT playlist no segment goes. */
    EVENT_SHRINKS("6.2.1"),
    /** Behind EXT-X-ENDLIST nothing changes. */
    ENDLIST_FINAL("6.2.1"),

    // Delta updates.

    /** What is skipped lies before the Skip Boundary, and the client has it. */
    SKIP_BOUNDARY("4.4.5.2, 6.2.5.1"),
    /** With what the client has it makes exactly the whole playlist. */
    DELTA_DIFFERS("6.2.5.1"),

    // Renditions.

    /** Segments of one number have the same duration, date, parts and discontinuity in all. */
    RENDITION_DIFFERS("4.4.6.2.4, 6.2.4; house: to the digit"),
    /** A playlist with parts reports all other renditions, and nothing they do not have. */
    RENDITION_REPORT("4.4.5.4, 6.2.4"),

    // Media.

    /** Init segments, parts and segments are whole boxes of the tracks they say. */
    BOXES("3.1.2; ISO/IEC 14496-12, 8.8"),
    /** INDEPENDENT=YES is said of the parts that start with a sync sample, of no other. */
    INDEPENDENT_FLAG("4.4.4.9; house: never left out"),
    /** With EXT-X-INDEPENDENT-SEGMENTS every segment starts with a sync sample. */
    INDEPENDENT_SEGMENTS("4.4.2.1"),
    /** A segment's bytes are those of its parts, one after the other. */
    SEGMENT_BYTES("4.4.4.9"),
    /** Decode times go on where the segment before ended, in a timeline. */
    DECODE_TIME("3, RFC 8216, 3"),
    /** Samples last as long as the playlist says. */
    MEDIA_DURATION("4.4.4.1");

    private final String clause;

    Rule(String clause) {
        this.clause = clause;
    }

    public String clause() {
        return clause;
    }
}
