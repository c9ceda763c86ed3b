package touchline.packager.hls;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import touchline.packager.hls.MediaSegment.Part;

/**
 * The text of a media playlist. Immutable, any thread.
 *
 * <p>Source: RFC 8216, 4.3; for latency mode low draft-pantos-hls-rfc8216bis-20, 4.4. Every segment
 * carries its date; parts are listed for the last three target durations.
 *
 * @param targetDurationS EXT-X-TARGETDURATION
 * @param partTargetUs PART-TARGET
 * @param listsParts low-latency HLS
 * @param independentSegments every segment is known to start with a key frame
 * @param segments in order without a gap; the last one may be growing
 * @param ended nothing follows
 */
record MediaPlaylist(
        int targetDurationS,
        long partTargetUs,
        boolean listsParts,
        boolean independentSegments,
        List<MediaSegment> segments,
        boolean ended) {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final long US_PER_SECOND = 1_000_000;

    /** CAN-SKIP-UNTIL must be at least this many target durations. */
    private static final long SKIP_TARGETS = 6;

    private static final long HOLD_BACK_TARGETS = 3;

    MediaPlaylist {
        segments = List.copyOf(segments);
    }

    /** The live window. */
    String window() {
        return text(/* skipped= */ 0, /* event= */ false);
    }

    /** The live window without the segments a client has by now; the whole where there are none. */
    String delta() {
        return text(skippable(), /* event= */ false);
    }

    /** Everything since the session's start, for rewinding. */
    String full() {
        return text(/* skipped= */ 0, /* event= */ true);
    }

    private String text(int skipped, boolean event) {
        StringBuilder out = new StringBuilder(128 + 96 * segments.size());
        out.append("#EXTM3U\n");
        line(out, "#EXT-X-VERSION:", listsParts ? 9 : 7);
        line(out, "#EXT-X-TARGETDURATION:", targetDurationS);
        if (event) {
            out.append("#EXT-X-PLAYLIST-TYPE:EVENT\n");
        }
        if (independentSegments) {
            out.append("#EXT-X-INDEPENDENT-SEGMENTS\n");
        }
        if (listsParts) {
            lowLatencyHead(out);
        }
        if (!segments.isEmpty()) {
            line(out, "#EXT-X-MEDIA-SEQUENCE:", segments.getFirst().mediaSequence());
            line(out, "#EXT-X-DISCONTINUITY-SEQUENCE:", segments.getFirst().initNumber());
        }
        if (skipped > 0) {
            line(out, "#EXT-X-SKIP:SKIPPED-SEGMENTS=", skipped);
        }
        body(out, skipped);
        return out.toString();
    }

    private void lowLatencyHead(StringBuilder out) {
        out.append("#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=")
                .append(seconds(skipUntilUs()))
                .append(",PART-HOLD-BACK=")
                .append(seconds(HOLD_BACK_TARGETS * partTargetUs))
                .append(",HOLD-BACK=")
                .append(seconds(HOLD_BACK_TARGETS * targetDurationS * US_PER_SECOND))
                .append('\n');
        out.append("#EXT-X-PART-INF:PART-TARGET=").append(seconds(partTargetUs)).append('\n');
    }

    private void body(StringBuilder out, int skipped) {
        int partsFrom = wholeBefore(HOLD_BACK_TARGETS * targetDurationS * US_PER_SECOND);
        int init = skipped == 0 ? -1 : segments.get(skipped - 1).initNumber();
        for (MediaSegment segment : segments.subList(skipped, segments.size())) {
            boolean bare = segment.parts().isEmpty() || !(segment.sealed() || listsParts);
            if (bare) {
                continue;
            }
            if (segment.initNumber() != init) {
                if (init >= 0) {
                    out.append("#EXT-X-DISCONTINUITY\n");
                }
                init = segment.initNumber();
                out.append("#EXT-X-MAP:URI=\"init").append(init).append(".mp4\"\n");
            }
            segment(out, segment, segment.mediaSequence() >= partsFrom + firstSequence());
        }
        if (ended) {
            out.append("#EXT-X-ENDLIST\n");
        } else if (listsParts) {
            preloadHint(out);
        }
    }

    private void segment(StringBuilder out, MediaSegment segment, boolean recent) {
        line(out, "#EXT-X-PROGRAM-DATE-TIME:", date(segment.programDateTime()));
        if (listsParts && recent) {
            int index = 0;
            for (Part part : segment.parts()) {
                out.append("#EXT-X-PART:DURATION=")
                        .append(seconds(part.durationUs()))
                        .append(",URI=\"")
                        .append(partUri(segment.mediaSequence(), index++))
                        .append(part.independent() ? "\",INDEPENDENT=YES\n" : "\"\n");
            }
        }
        if (segment.sealed()) {
            line(out, "#EXTINF:", seconds(segment.durationUs()) + ",");
            out.append('s').append(segment.mediaSequence()).append(".m4s\n");
        }
    }

    private void preloadHint(StringBuilder out) {
        if (segments.isEmpty()) {
            return;
        }
        MediaSegment last = segments.getLast();
        String next =
                last.sealed()
                        ? partUri(last.mediaSequence() + 1, 0)
                        : partUri(last.mediaSequence(), last.parts().size());
        out.append("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"").append(next).append("\"\n");
    }

    /** How many segments a client may have by now (rfc8216bis-20, 4.4.5.2). */
    private int skippable() {
        return listsParts && !ended ? wholeBefore(skipUntilUs()) : 0;
    }

    /** How many segments lie wholly before a distance from the playlist's end. */
    private int wholeBefore(long distanceUs) {
        long behindUs = 0;
        int index = segments.size();
        while (index > 0 && behindUs < distanceUs) {
            behindUs += segments.get(--index).durationUs();
        }
        return index;
    }

    private long skipUntilUs() {
        return SKIP_TARGETS * targetDurationS * US_PER_SECOND;
    }

    private long firstSequence() {
        return segments.getFirst().mediaSequence();
    }

    private static String partUri(long mediaSequence, int index) {
        return "s" + mediaSequence + "." + index + ".m4s";
    }

    /** Exact to the microsecond, so that durations add up to media time. */
    private static String seconds(long us) {
        long rest = us % US_PER_SECOND;
        return us / US_PER_SECOND + "." + String.valueOf(US_PER_SECOND + rest).substring(1);
    }

    private static String date(Instant instant) {
        return DATE.format(instant);
    }

    private static void line(StringBuilder out, String tag, Object value) {
        out.append(tag).append(value).append('\n');
    }
}
