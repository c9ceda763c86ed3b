package touchline.packager.conformance;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.packager.conformance.HlsPlaylist.Head;
import touchline.packager.conformance.HlsPlaylist.Part;
import touchline.packager.conformance.HlsPlaylist.Segment;
import touchline.packager.conformance.HlsPlaylist.ServerControl;

/** What one whole playlist must be by itself. Stateless; clauses stand at {@link Rule}. */
final class PlaylistRules {
    private static final long US_PER_MS = 1_000;
    private static final long US_PER_SECOND = 1_000_000;
    private static final int VERSION_DECIMALS = 3;
    private static final int VERSION_MAP = 6;
    private static final int VERSION_SKIP = 9;
    private static final int HOLD_BACKS = 3;
    private static final int SKIPS = 6;
    private static final int MIN_PART_PERCENT = 85;

    private PlaylistRules() {}

    /** All of them. */
    static void check(HlsPlaylist playlist, Report report) {
        version(playlist, report);
        targetDuration(playlist, report);
        partInf(playlist, report);
        partDurations(playlist, report);
        partSums(playlist, report);
        serverControl(playlist, report);
        dates(playlist, report);
        maps(playlist, report);
        recentParts(playlist, report);
        gap(playlist, report);
        hint(playlist, report);
    }

    /** {@link Rule#VERSION}; holds for delta updates as they come. */
    static void version(HlsPlaylist playlist, Report report) {
        int needed = 1;
        for (Segment segment : playlist.segments()) {
            needed = Math.max(needed, segment.map().isEmpty() ? VERSION_DECIMALS : VERSION_MAP);
        }
        if (playlist.isDelta()) {
            needed = VERSION_SKIP;
        }
        int said = playlist.head().version();
        if (said < needed) {
            report.add(Rule.VERSION, "EXT-X-VERSION", said + " (expected: >= " + needed + ")");
        }
    }

    /** {@link Rule#TARGET_DURATION}. */
    private static void targetDuration(HlsPlaylist playlist, Report report) {
        int targetS = playlist.head().targetDurationS();
        for (Segment segment : playlist.segments()) {
            long rounded = (segment.listedUs() + US_PER_SECOND / 2) / US_PER_SECOND;
            if (rounded > targetS) {
                report.add(
                        Rule.TARGET_DURATION,
                        segment.near(),
                        "segment of %d us (expected: <= %d s)"
                                .formatted(segment.listedUs(), targetS));
            }
        }
    }

    /** {@link Rule#PART_INF}. */
    private static void partInf(HlsPlaylist playlist, Report report) {
        List<Part> parts = playlist.parts();
        if (!parts.isEmpty() && playlist.head().partTargetUs().isEmpty()) {
            report.add(Rule.PART_INF, parts.getFirst().uri(), "parts without EXT-X-PART-INF");
        }
    }

    /** {@link Rule#PART_TOO_LONG}, {@link Rule#PART_TOO_SHORT}. */
    private static void partDurations(HlsPlaylist playlist, Report report) {
        OptionalLong target = playlist.head().partTargetUs();
        if (target.isEmpty()) {
            return;
        }
        long longestUs = target.getAsLong();
        for (Segment segment : playlist.segments()) {
            for (int i = 0; i < segment.parts().size(); i++) {
                Part part = segment.parts().get(i);
                String said = part.durationUs() + " us (PART-TARGET: " + longestUs + " us)";
                if (part.durationUs() > longestUs) {
                    report.add(Rule.PART_TOO_LONG, part.uri(), said);
                }
                boolean last = i == segment.parts().size() - 1;
                if (!last && part.durationUs() * 100 < longestUs * MIN_PART_PERCENT) {
                    report.add(Rule.PART_TOO_SHORT, part.uri(), said);
                }
            }
        }
    }

    /** {@link Rule#PART_SUM}. */
    private static void partSums(HlsPlaylist playlist, Report report) {
        for (Segment segment : playlist.sealedSegments()) {
            if (!segment.parts().isEmpty() && segment.partsUs() != segment.durationUs()) {
                report.add(
                        Rule.PART_SUM,
                        segment.uri(),
                        "parts of %d us in a segment of %d us"
                                .formatted(segment.partsUs(), segment.durationUs()));
            }
        }
    }

    /** {@link Rule#CAN_SKIP_UNTIL}, {@link Rule#HOLD_BACK}, {@link Rule#PART_HOLD_BACK}. */
    private static void serverControl(HlsPlaylist playlist, Report report) {
        Head head = playlist.head();
        Optional<ServerControl> control = head.control();
        OptionalLong skip = control.map(ServerControl::skipUntilUs).orElse(OptionalLong.empty());
        atLeast(Rule.CAN_SKIP_UNTIL, skip, SKIPS * head.targetUs(), report);
        OptionalLong holdBack = control.map(ServerControl::holdBackUs).orElse(OptionalLong.empty());
        atLeast(Rule.HOLD_BACK, holdBack, HOLD_BACKS * head.targetUs(), report);
        if (head.partTargetUs().isPresent()) {
            long partHoldBackUs =
                    control.map(ServerControl::partHoldBackUs)
                            .orElse(OptionalLong.empty())
                            .orElse(0);
            atLeast(
                    Rule.PART_HOLD_BACK,
                    OptionalLong.of(partHoldBackUs),
                    HOLD_BACKS * head.partTargetUs().getAsLong(),
                    report);
        }
    }

    private static void atLeast(Rule rule, OptionalLong us, long leastUs, Report report) {
        if (us.isPresent() && us.getAsLong() < leastUs) {
            report.add(
                    rule,
                    "EXT-X-SERVER-CONTROL",
                    us.getAsLong() + " us (expected: >= " + leastUs + " us)");
        }
    }

    /**
     * {@link Rule#DATE_TIME}. Dates are cut to milliseconds and durations are not, so each date
     * says of the timeline's start that it lies within one millisecond; all those must have a
     * moment in common.
     */
    private static void dates(HlsPlaylist playlist, Report report) {
        long earliestUs = 0;
        long latestUs = 0;
        long sumUs = 0;
        boolean anchored = false;
        for (Segment segment : playlist.segments()) {
            if (segment.date().isEmpty()) {
                report.add(Rule.DATE_TIME, segment.near(), "no EXT-X-PROGRAM-DATE-TIME");
                return;
            }
            long startUs = micros(segment.date().get()) - sumUs;
            if (!anchored || segment.discontinuity()) {
                anchored = true;
                startUs += sumUs;
                sumUs = 0;
                earliestUs = startUs;
                latestUs = startUs + US_PER_MS - 1;
            }
            earliestUs = Math.max(earliestUs, startUs);
            latestUs = Math.min(latestUs, startUs + US_PER_MS - 1);
            if (earliestUs > latestUs) {
                report.add(
                        Rule.DATE_TIME,
                        segment.near(),
                        "date is off by more than %d us"
                                .formatted(
                                        earliestUs == startUs
                                                ? startUs - latestUs
                                                : startUs - earliestUs));
                return;
            }
            sumUs += segment.durationUs();
        }
    }

    private static long micros(Instant instant) {
        return Duration.between(Instant.EPOCH, instant.truncatedTo(ChronoUnit.MICROS)).toNanos()
                / 1_000;
    }

    /** {@link Rule#MAP}. */
    private static void maps(HlsPlaylist playlist, Report report) {
        String before = "";
        for (Segment segment : playlist.segments()) {
            if (segment.map().isEmpty()) {
                report.add(Rule.MAP, segment.near(), "segment without EXT-X-MAP");
            } else if (!before.isEmpty()
                    && segment.map().equals(before) == segment.discontinuity()) {
                report.add(
                        Rule.MAP,
                        segment.near(),
                        "map %s behind %s, discontinuity: %b"
                                .formatted(segment.map(), before, segment.discontinuity()));
            }
            before = segment.map();
        }
    }

    /** {@link Rule#PARTS_RECENT}. */
    private static void recentParts(HlsPlaylist playlist, Report report) {
        if (playlist.head().partTargetUs().isEmpty()) {
            return;
        }
        long recentUs = HOLD_BACKS * playlist.head().targetUs();
        long[] distances = playlist.distancesUs();
        for (int i = behindGaps(playlist); i < distances.length; i++) {
            Segment segment = playlist.segments().get(i);
            boolean listed = !segment.parts().isEmpty();
            boolean wrong = listed ? distances[i] > recentUs : distances[i] < recentUs;
            if (wrong) {
                report.add(
                        Rule.PARTS_RECENT,
                        segment.near(),
                        "parts listed: %b, %d us before the end (expected up to: %d us)"
                                .formatted(listed, distances[i], recentUs));
            }
        }
    }

    /** {@link Rule#GAP}. */
    private static void gap(HlsPlaylist playlist, Report report) {
        if (!playlist.segments().isEmpty() && playlist.segments().getFirst().gap()) {
            report.add(Rule.GAP, playlist.segments().getFirst().near(), "the first one is a gap");
        }
    }

    private static int behindGaps(HlsPlaylist playlist) {
        int index = playlist.segments().size();
        while (index > 0 && !playlist.segments().get(index - 1).gap()) {
            index--;
        }
        return index;
    }

    /** {@link Rule#PRELOAD_HINT}. */
    private static void hint(HlsPlaylist playlist, Report report) {
        boolean hasParts =
                playlist.head().partTargetUs().isPresent() || !playlist.parts().isEmpty();
        boolean expected = hasParts && !playlist.ended();
        // Between an interruption and the first part behind it there is nothing to hint.
        boolean mayLack = playlist.growingParts() == 0 && playlist.hint().isEmpty();
        if (expected != playlist.hint().isPresent() && !mayLack) {
            report.add(
                    Rule.PRELOAD_HINT,
                    "EXT-X-PRELOAD-HINT",
                    "hint: %s (expected: %b)".formatted(playlist.hint(), expected));
            return;
        }
        for (Part part : playlist.parts()) {
            if (Optional.of(part.uri()).equals(playlist.hint())) {
                report.add(Rule.PRELOAD_HINT, part.uri(), "the hinted part is listed already");
            }
        }
    }
}
