package touchline.packager.conformance;

import java.util.List;
import touchline.packager.conformance.HlsPlaylist.Part;
import touchline.packager.conformance.HlsPlaylist.Segment;

/**
 * What a playlist must be beside the one that a client read before it, with any number of versions
 * between them that it did not read. Stateless; clauses stand at {@link Rule}.
 */
final class SequenceRules {
    private static final int MIN_TARGETS = 3;

    private SequenceRules() {}

    /** All of them; both are whole playlists, or made whole. */
    static void check(HlsPlaylist before, HlsPlaylist now, Report report) {
        if (before.ended()) {
            endlistFinal(before, now, report);
            return;
        }
        if (goesBack(before, now, report)) {
            return;
        }
        headChanged(before, now, report);
        segmentsChanged(before, now, report);
        partsChanged(before, now, report);
        discontinuitySequence(before, now, report);
        tooShort(before, now, report);
        eventShrinks(before, now, report);
    }

    /** {@link Rule#ENDLIST_FINAL}. */
    private static void endlistFinal(HlsPlaylist before, HlsPlaylist now, Report report) {
        if (!before.head().equals(now.head())
                || !before.segments().equals(now.segments())
                || !now.ended()) {
            report.add(Rule.ENDLIST_FINAL, "EXT-X-ENDLIST", "the playlist changed behind its end");
        }
    }

    /** {@link Rule#SEQUENCE_BACK}. */
    private static boolean goesBack(HlsPlaylist before, HlsPlaylist now, Report report) {
        long was = before.head().mediaSequence();
        long is = now.head().mediaSequence();
        long wasNext = before.nextMediaSequence();
        long isNext = now.nextMediaSequence();
        boolean partsWent = wasNext == isNext && now.growingParts() < before.growingParts();
        if (is < was || isNext < wasNext || partsWent) {
            report.add(
                    Rule.SEQUENCE_BACK,
                    "EXT-X-MEDIA-SEQUENCE",
                    "from %d..%d.%d to %d..%d.%d"
                            .formatted(
                                    was,
                                    wasNext,
                                    before.growingParts(),
                                    is,
                                    isNext,
                                    now.growingParts()));
            return true;
        }
        return false;
    }

    /** {@link Rule#HEAD_CHANGED}. */
    private static void headChanged(HlsPlaylist before, HlsPlaylist now, Report report) {
        if (!before.head().constant().equals(now.head().constant())) {
            report.add(
                    Rule.HEAD_CHANGED,
                    "EXT-X-TARGETDURATION",
                    "from %s to %s".formatted(before.head().constant(), now.head().constant()));
        }
    }

    /**
     * {@link Rule#SEGMENT_CHANGED}. The discontinuity before the first of both is left to {@link
     * Rule#DISCONTINUITY_SEQUENCE}: the tag goes with the segment before it.
     */
    private static void segmentsChanged(HlsPlaylist before, HlsPlaylist now, Report report) {
        long first = now.head().mediaSequence();
        for (Segment was : before.segments()) {
            if (was.mediaSequence() < first) {
                continue;
            }
            Segment is = segment(now, was.mediaSequence());
            boolean sameSegment =
                    !was.sealed()
                            || (was.uri().equals(is.uri()) && was.durationUs() == is.durationUs());
            boolean sameTags = was.date().equals(is.date()) && was.map().equals(is.map());
            boolean sameBreak =
                    was.mediaSequence() == first || was.discontinuity() == is.discontinuity();
            if (!sameSegment || !sameTags || !sameBreak) {
                report.add(
                        Rule.SEGMENT_CHANGED,
                        is.near(),
                        "segment was %s%nand is %s".formatted(was, is));
            }
        }
    }

    /** {@link Rule#PART_CHANGED}: all go at once, when the segment is old enough, or none. */
    private static void partsChanged(HlsPlaylist before, HlsPlaylist now, Report report) {
        long first = now.head().mediaSequence();
        for (Segment was : before.segments()) {
            if (was.mediaSequence() < first) {
                continue;
            }
            Segment is = segment(now, was.mediaSequence());
            List<Part> had = was.parts();
            List<Part> has = is.parts();
            boolean grew = has.size() >= had.size() && has.subList(0, had.size()).equals(had);
            boolean mayGrow = !was.sealed() || has.size() == had.size();
            boolean went = has.isEmpty() && is.sealed();
            if (!went && !(grew && mayGrow)) {
                report.add(
                        Rule.PART_CHANGED,
                        is.near(),
                        "parts were %s%nand are %s".formatted(had, has));
            }
        }
    }

    /** {@link Rule#DISCONTINUITY_SEQUENCE}. */
    private static void discontinuitySequence(HlsPlaylist before, HlsPlaylist now, Report report) {
        long was = expected(before, now.head().mediaSequence());
        long is = numberOfFirst(now);
        boolean overlap = now.head().mediaSequence() < endOf(before);
        if (overlap ? is != was : is < was) {
            report.add(
                    Rule.DISCONTINUITY_SEQUENCE,
                    "EXT-X-DISCONTINUITY-SEQUENCE",
                    "segment %d was behind %d discontinuities and is behind %d"
                            .formatted(now.head().mediaSequence(), was, is));
        }
    }

    /** {@link Rule#TOO_SHORT}. */
    private static void tooShort(HlsPlaylist before, HlsPlaylist now, Report report) {
        boolean removed = now.head().mediaSequence() > before.head().mediaSequence();
        long leastUs = MIN_TARGETS * now.head().targetUs();
        if (removed && !now.ended() && now.sealedUs() < leastUs) {
            report.add(
                    Rule.TOO_SHORT,
                    "EXT-X-MEDIA-SEQUENCE",
                    "%d us are left (expected: >= %d us)".formatted(now.sealedUs(), leastUs));
        }
    }

    /** {@link Rule#EVENT_SHRINKS}. */
    private static void eventShrinks(HlsPlaylist before, HlsPlaylist now, Report report) {
        boolean removed = now.head().mediaSequence() != before.head().mediaSequence();
        if (now.head().type().equals("EVENT") && removed) {
            report.add(
                    Rule.EVENT_SHRINKS,
                    "EXT-X-MEDIA-SEQUENCE",
                    "from %d to %d"
                            .formatted(before.head().mediaSequence(), now.head().mediaSequence()));
        }
    }

    /** One that both hold: {@link #goesBack} said so. */
    private static Segment segment(HlsPlaylist playlist, long mediaSequence) {
        long index = mediaSequence - playlist.head().mediaSequence();
        return playlist.segments().get(Math.toIntExact(index));
    }

    /** Behind the last segment of which something is listed. */
    private static long endOf(HlsPlaylist playlist) {
        return playlist.head().mediaSequence() + playlist.segments().size();
    }

    /** The discontinuity sequence number of a segment, or of the last where it is not listed. */
    private static long expected(HlsPlaylist playlist, long mediaSequence) {
        long[] numbers = playlist.discontinuityNumbers();
        if (numbers.length == 0) {
            return playlist.head().discontinuitySequence();
        }
        long index = mediaSequence - playlist.head().mediaSequence();
        return numbers[(int) Math.min(index, numbers.length - 1)];
    }

    private static long numberOfFirst(HlsPlaylist playlist) {
        long[] numbers = playlist.discontinuityNumbers();
        return numbers.length == 0 ? playlist.head().discontinuitySequence() : numbers[0];
    }
}
