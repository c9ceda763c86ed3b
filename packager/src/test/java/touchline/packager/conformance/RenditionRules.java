package touchline.packager.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import touchline.packager.conformance.HlsPlaylist.Part;
import touchline.packager.conformance.HlsPlaylist.RenditionReport;
import touchline.packager.conformance.HlsPlaylist.Segment;

/** What the playlists of a source's renditions must be beside its own. Clauses stand at Rule. */
public final class RenditionRules {
    /** Names of audio renditions start with it. */
    private static final String AUDIO = "audio";

    private RenditionRules() {}

    /**
     * Playlists of one moment, when all renditions have what the source has.
     *
     * @param renditions by name
     * @param before all playlists of the moment before, the source's by the empty name: reports are
     *     at least as new; renditions that were not there need not be reported yet
     */
    public static List<Finding> check(
            HlsPlaylist source,
            Map<String, HlsPlaylist> renditions,
            Map<String, HlsPlaylist> before) {
        Report report = new Report();
        Map<String, HlsPlaylist> all = new TreeMap<>(renditions);
        all.put("", source);
        for (Map.Entry<String, HlsPlaylist> each : renditions.entrySet()) {
            report.reading(each.getValue().text());
            same(each.getKey(), source, each.getValue(), report);
        }
        all.forEach((name, playlist) -> reports(name, playlist, all, before, report));
        return report.findings();
    }

    /**
     * Playlists of frames alone and of audio alone, at the same moment.
     *
     * @param separate by name
     */
    public static List<Finding> checkSeparate(
            HlsPlaylist source, Map<String, HlsPlaylist> separate) {
        Report report = new Report();
        for (Map.Entry<String, HlsPlaylist> each : separate.entrySet()) {
            report.reading(each.getValue().text());
            same(each.getKey(), source, each.getValue(), report);
        }
        return report.findings();
    }

    /** {@link Rule#RENDITION_DIFFERS}. */
    private static void same(String name, HlsPlaylist source, HlsPlaylist own, Report report) {
        if (!head(source).equals(head(own)) || source.ended() != own.ended()) {
            differs(report, name, "head or end: %s".formatted(head(own)));
        }
        boolean isAudio = name.startsWith(AUDIO);
        boolean late = own.head().mediaSequence() > source.head().mediaSequence();
        long sourceEnd = source.head().mediaSequence() + source.segments().size();
        long ownEnd = own.head().mediaSequence() + own.segments().size();
        if (own.head().mediaSequence() < source.head().mediaSequence() || sourceEnd != ownEnd) {
            differs(
                    report,
                    name,
                    "segments %d to %d (the source: %d to %d)"
                            .formatted(
                                    own.head().mediaSequence(),
                                    ownEnd,
                                    source.head().mediaSequence(),
                                    sourceEnd));
            return;
        }
        long[] expected = source.discontinuityNumbers();
        long[] numbers = own.discontinuityNumbers();
        int skipped = source.segments().size() - own.segments().size();
        for (int i = 0; i < numbers.length; i++) {
            Segment theirs = source.segments().get(i + skipped);
            Segment mine = own.segments().get(i);
            boolean sameTimes =
                    theirs.durationUs() == mine.durationUs()
                            && theirs.date().equals(mine.date())
                            && durations(theirs, isAudio).equals(durations(mine, isAudio));
            if (!sameTimes
                    || theirs.sealed() != mine.sealed()
                    || numbers[i] != expected[i + skipped]) {
                differs(report, name, "%s (the source: %s)".formatted(mine, theirs));
            }
        }
        if (!late && !durationsOf(source).equals(durationsOf(own))) {
            differs(report, name, "its segments");
        }
    }

    private static HlsPlaylist.Head head(HlsPlaylist playlist) {
        return playlist.head().constant();
    }

    private static List<Long> durationsOf(HlsPlaylist playlist) {
        return playlist.segments().stream().map(Segment::durationUs).toList();
    }

    /** With the parts that start with a key frame; every part of audio does. */
    private static List<String> durations(Segment segment, boolean isAudio) {
        List<String> parts = new ArrayList<>();
        for (Part part : segment.parts()) {
            parts.add(part.durationUs() + (part.independent() && !isAudio ? "k" : ""));
        }
        return parts;
    }

    private static void differs(Report report, String name, String what) {
        report.add(Rule.RENDITION_DIFFERS, "EXTM3U", name + ": " + what);
    }

    /** {@link Rule#RENDITION_REPORT}. */
    private static void reports(
            String name,
            HlsPlaylist playlist,
            Map<String, HlsPlaylist> all,
            Map<String, HlsPlaylist> before,
            Report report) {
        report.reading(playlist.text());
        boolean listsParts = playlist.head().partTargetUs().isPresent() && !playlist.ended();
        Map<String, String> others = new TreeMap<>();
        Set<String> needed = new TreeSet<>();
        all.forEach(
                (other, _) -> {
                    if (listsParts && !other.equals(name)) {
                        others.put(uri(name, other), other);
                        if (other.isEmpty() || before.containsKey(other)) {
                            needed.add(uri(name, other));
                        }
                    }
                });
        List<String> uris = playlist.reports().stream().map(RenditionReport::uri).toList();
        boolean once = uris.size() == new TreeSet<>(uris).size();
        if (!once || !others.keySet().containsAll(uris) || !uris.containsAll(needed)) {
            report.add(
                    Rule.RENDITION_REPORT,
                    "EXT-X-RENDITION-REPORT",
                    "%s reports %s (expected: %s)".formatted(name, uris, others.keySet()));
            return;
        }
        for (RenditionReport each : playlist.reports()) {
            String other = others.get(each.uri());
            HlsPlaylist now = all.get(other);
            if (now == null || !isBetween(before.get(other), each, now)) {
                report.add(
                        Rule.RENDITION_REPORT,
                        "EXT-X-RENDITION-REPORT",
                        "%s: %s (it ends with: %s)"
                                .formatted(
                                        name, each, now == null ? "" : now.segments().getLast()));
            }
        }
    }

    private static boolean isBetween(
            @Nullable HlsPlaylist before, RenditionReport said, HlsPlaylist now) {
        long position = position(said.lastMsn(), said.lastPart());
        return position <= position(now) && (before == null || position >= position(before));
    }

    private static long position(HlsPlaylist playlist) {
        Segment last = playlist.segments().getLast();
        return position(last.mediaSequence(), last.parts().size() - 1);
    }

    private static long position(long msn, int part) {
        return msn * 1_000 + part;
    }

    private static String uri(String from, String to) {
        String base = from.isEmpty() ? "" : "../";
        return base + (to.isEmpty() ? "" : to + "/") + "media.m3u8";
    }
}
