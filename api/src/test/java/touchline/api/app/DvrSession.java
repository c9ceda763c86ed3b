package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import touchline.packager.conformance.ConformanceChecker;
import touchline.packager.conformance.HlsPlaylist;
import touchline.packager.conformance.Rule;
import touchline.packager.record.Recording;

/** The playlist of a running session from its start, at the nodes of a cluster. */
final class DvrSession {
    private static final Duration SOON = Duration.ofMinutes(3);

    private DvrSession() {}

    /** Frames of the segments that it lists. */
    static int listed(StartedServer server, String media, Recording index) {
        Set<Long> listed =
                segments(server.view(media).body(), /* gaps= */ false).stream()
                        .map(HlsPlaylist.Segment::mediaSequence)
                        .collect(Collectors.toUnmodifiableSet());
        return frames(
                index.segments().stream()
                        .filter(segment -> listed.contains(segment.mediaSequence()))
                        .mapToLong(Recording.Segment::durationUs)
                        .sum());
    }

    private static Function<Recording.Segment, Long> listedBefore(Recording before) {
        Map<Long, Long> listedUs =
                before.segments().stream()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        Recording.Segment::mediaSequence,
                                        Recording.Segment::durationUs));
        return segment ->
                wholeMillisecondsUs(
                        segment.startUs(),
                        listedUs.getOrDefault(segment.mediaSequence(), segment.durationUs()));
    }

    /** As playlists list it: both ends are cut to the millisecond. */
    private static long wholeMillisecondsUs(long startUs, long durationUs) {
        return ((startUs + durationUs) / 1_000 - startUs / 1_000) * 1_000;
    }

    /** Of {@link NumberedVideo} in a time. */
    static int frames(long us) {
        return Math.toIntExact((us * NumberedVideo.PER_SECOND + 500_000) / 1_000_000);
    }

    /**
     * It lists each segment of the session, which had one takeover, and the lost numbers.
     *
     * @param before what the lost server had stored
     */
    static void assertWhole(StartedServer server, String media, Recording index, Recording before) {
        String text = server.view(media).body();
        ConformanceChecker checker = new ConformanceChecker();
        checker.whole(text);
        assertEquals(List.of(), checker.findings());
        assertEquals(
                index.segments().stream().map(Recording.Segment::mediaSequence).toList(),
                segments(text, /* gaps= */ false).stream()
                        .map(HlsPlaylist.Segment::mediaSequence)
                        .toList());
        assertEquals(
                index.segments().stream().map(listedBefore(before)).toList(),
                segments(text, /* gaps= */ false).stream()
                        .map(HlsPlaylist.Segment::durationUs)
                        .toList(),
                "as the lost server has listed its own");
        assertTrue(text.contains("#EXT-X-DISCONTINUITY-SEQUENCE:0\n"), text);
        assertEquals(1, text.split("#EXT-X-DISCONTINUITY\n", -1).length - 1, text);
        assertFalse(segments(text, /* gaps= */ true).isEmpty(), text);
    }

    /**
     * The live window has the segments of before and the lost numbers. If the store answered too
     * late for that, it has the lost numbers only, at its start, or neither.
     */
    static void assertLive(StartedServer server, String media, Recording index) {
        String text = server.view(media).body();
        ConformanceChecker checker = new ConformanceChecker();
        HlsPlaylist read = checker.whole(text).orElseThrow();
        String init = "init" + index.segments().getLast().init() + ".mp4";
        boolean beginsWithGaps = read.segments().getFirst().gap();
        assertEquals(
                List.of(),
                checker.findings().stream()
                        .filter(each -> !beginsWithGaps || each.rule() != Rule.GAP)
                        .toList());
        if (beginsWithGaps) {
            assertEquals(init, segments(text, /* gaps= */ false).getFirst().map(), text);
            return;
        }
        boolean goesOn = !read.segments().getFirst().map().equals(init);
        assertEquals(!goesOn, segments(text, /* gaps= */ true).isEmpty(), text);
        assertEquals(goesOn, text.contains("#EXT-X-DISCONTINUITY\n"), text);
    }

    /** Another node answers with the same playlist and the same media. */
    static void assertSame(StartedServer edge, StartedServer owner, String media) throws Exception {
        String text = owner.view(media).body();
        TestServer.await(
                "the same at another node", SOON, () -> edge.view(media).body().equals(text));
        String folder = media.substring(0, media.lastIndexOf('/') + 1);
        for (HlsPlaylist.Segment segment : segments(text, /* gaps= */ false)) {
            HttpResponse<String> bytes = edge.view(folder + segment.uri());
            assertEquals(200, bytes.statusCode(), segment::uri);
            assertEquals(owner.view(folder + segment.uri()).body(), bytes.body());
        }
        for (HlsPlaylist.Segment segment : segments(text, /* gaps= */ true)) {
            assertEquals(404, edge.view(folder + segment.uri()).statusCode(), segment::uri);
        }
    }

    private static List<HlsPlaylist.Segment> segments(String text, boolean gaps) {
        return new ConformanceChecker()
                .whole(text).orElseThrow().sealedSegments().stream()
                        .filter(segment -> segment.gap() == gaps)
                        .toList();
    }
}
