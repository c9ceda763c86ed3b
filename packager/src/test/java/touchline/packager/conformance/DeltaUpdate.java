package touchline.packager.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.packager.conformance.HlsPlaylist.Segment;
import touchline.packager.conformance.HlsPlaylist.ServerControl;

/**
 * What a client does with a delta update: it takes the skipped segments, without their parts, from
 * the playlist it has (draft-pantos-hls-rfc8216bis-20, 6.3.7). Stateless.
 */
final class DeltaUpdate {
    private DeltaUpdate() {}

    /** The whole playlist; empty, with a finding, where the client lacks what is skipped. */
    static Optional<HlsPlaylist> apply(HlsPlaylist before, HlsPlaylist delta, Report report) {
        PlaylistRules.version(delta, report);
        long first = delta.head().mediaSequence();
        long behind = first + delta.skipped();
        long has = before.head().mediaSequence();
        if (first < has || behind > before.nextMediaSequence()) {
            report.add(
                    Rule.SKIP_BOUNDARY,
                    "EXT-X-SKIP",
                    "skips %d..%d (the client has: %d..%d)"
                            .formatted(first, behind, has, before.nextMediaSequence()));
            return Optional.empty();
        }
        HlsPlaylist whole = merge(before, delta);
        skipBoundary(delta, whole, report);
        return Optional.of(whole);
    }

    /** {@link Rule#DELTA_DIFFERS}. */
    static void compare(HlsPlaylist made, HlsPlaylist whole, Report report) {
        if (!made.head().equals(whole.head())
                || !made.hint().equals(whole.hint())
                || made.ended() != whole.ended()
                || !made.reports().equals(whole.reports())) {
            report.add(Rule.DELTA_DIFFERS, "EXT-X-SKIP", "head, hint, reports or end differ");
        }
        if (made.segments().size() != whole.segments().size()) {
            report.add(
                    Rule.DELTA_DIFFERS,
                    "EXT-X-SKIP",
                    "%d segments (expected: %d)"
                            .formatted(made.segments().size(), whole.segments().size()));
            return;
        }
        for (int i = 0; i < made.segments().size(); i++) {
            Segment got = made.segments().get(i);
            Segment expected = whole.segments().get(i);
            if (!got.equals(expected)) {
                report.add(
                        Rule.DELTA_DIFFERS,
                        "EXT-X-SKIP",
                        "made %s%nexpected %s".formatted(got, expected));
            }
        }
    }

    /** {@link Rule#SKIP_BOUNDARY}. */
    private static void skipBoundary(HlsPlaylist delta, HlsPlaylist whole, Report report) {
        OptionalLong boundary =
                delta.head().control().map(ServerControl::skipUntilUs).orElse(OptionalLong.empty());
        long nearestUs = whole.distancesUs()[delta.skipped() - 1];
        if (boundary.isEmpty() || nearestUs < boundary.getAsLong()) {
            report.add(
                    Rule.SKIP_BOUNDARY,
                    "EXT-X-SKIP",
                    "skips what ends %d us before the end (CAN-SKIP-UNTIL: %s us)"
                            .formatted(nearestUs, boundary));
        }
    }

    private static HlsPlaylist merge(HlsPlaylist before, HlsPlaylist delta) {
        List<Segment> segments = new ArrayList<>();
        int from = Math.toIntExact(delta.head().mediaSequence() - before.head().mediaSequence());
        long numberOfFirst = before.discontinuityNumbers()[from];
        for (Segment segment : before.segments().subList(from, from + delta.skipped())) {
            boolean first = segments.isEmpty();
            // Only the number shows whether the tag before the first is still there.
            boolean discontinuity =
                    first
                            ? numberOfFirst > delta.head().discontinuitySequence()
                            : segment.discontinuity();
            segments.add(segment.with(discontinuity, segment.map(), List.of()));
        }
        String map = segments.getLast().map();
        for (Segment segment : delta.segments()) {
            String own = segment.map().isEmpty() ? map : segment.map();
            segments.add(segment.with(segment.discontinuity(), own, segment.parts()));
        }
        return new HlsPlaylist(
                delta.text(),
                delta.head(),
                0,
                segments,
                delta.hint(),
                delta.ended(),
                delta.reports());
    }
}
