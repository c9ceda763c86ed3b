package touchline.packager.conformance;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import touchline.packager.conformance.HlsPlaylist.Head;
import touchline.packager.conformance.HlsPlaylist.Part;
import touchline.packager.conformance.HlsPlaylist.RenditionReport;
import touchline.packager.conformance.HlsPlaylist.Segment;
import touchline.packager.conformance.HlsPlaylist.ServerControl;

/**
 * Reads a media playlist as strictly as the draft lets one: a tag or attribute that is not known
 * here, stands in the wrong place or once too often ends the reading (clients would skip what they
 * do not know; a server has no business to write it). One playlist, one thread.
 */
final class PlaylistParser {
    private static final Set<String> ONCE =
            Set.of(
                    "EXTM3U",
                    "EXT-X-VERSION",
                    "EXT-X-TARGETDURATION",
                    "EXT-X-MEDIA-SEQUENCE",
                    "EXT-X-DISCONTINUITY-SEQUENCE",
                    "EXT-X-PLAYLIST-TYPE",
                    "EXT-X-INDEPENDENT-SEGMENTS",
                    "EXT-X-SERVER-CONTROL",
                    "EXT-X-PART-INF",
                    "EXT-X-SKIP",
                    "EXT-X-ENDLIST");

    /** Must stand before the first segment (4.4.3.2, 4.4.3.3), or say something of all of them. */
    private static final Set<String> BEFORE_SEGMENTS =
            Set.of("EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE", "EXT-X-SKIP");

    /** Apply to a segment's first part too, so they stand before it (4.4.4.9). */
    private static final Set<String> BEFORE_PARTS =
            Set.of("EXT-X-DISCONTINUITY", "EXT-X-MAP", "EXT-X-PROGRAM-DATE-TIME");

    private final Set<String> seen = new HashSet<>();
    private final List<Segment> segments = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final List<RenditionReport> reports = new ArrayList<>();
    private int version = 1;
    private int targetDurationS;
    private String type = "";
    private long mediaSequence;
    private long discontinuitySequence;
    private int skipped;
    private OptionalLong partTargetUs = OptionalLong.empty();
    private Optional<ServerControl> control = Optional.empty();
    private Optional<String> hint = Optional.empty();
    private Optional<Instant> date = Optional.empty();
    private boolean discontinuity;
    private boolean gap;
    private boolean hasPendingTags;
    private String map = "";
    private long extinfUs = -1;

    private PlaylistParser() {}

    /** Empty, with a finding, where the text is no playlist. */
    static Optional<HlsPlaylist> read(String text, Report report) {
        report.reading(text);
        String line = "";
        try {
            PlaylistParser parser = new PlaylistParser();
            if (!text.endsWith("\n")) {
                throw new PlaylistSyntaxException("last line is cut short");
            }
            for (String next : text.split("\r?\n", -1)) {
                line = next;
                parser.line(next);
            }
            return Optional.of(parser.finish(text));
        } catch (PlaylistSyntaxException e) {
            report.add(Rule.SYNTAX, line, e.getMessage() + " in line: " + line);
            return Optional.empty();
        }
    }

    private void line(String line) {
        if (seen.isEmpty() && !line.equals("#EXTM3U")) {
            throw new PlaylistSyntaxException("first line is not #EXTM3U");
        }
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c < ' ' || (c >= 0x7F && c < 0xA0) || c == 0xFEFF) {
                throw new PlaylistSyntaxException("control character");
            }
        }
        if (line.startsWith("#EXT")) {
            int colon = line.indexOf(':');
            String name = colon < 0 ? line.substring(1) : line.substring(1, colon);
            tag(name, colon < 0 ? "" : line.substring(colon + 1), colon >= 0);
        } else if (!line.isEmpty() && !line.startsWith("#")) {
            uri(line);
        }
    }

    private void tag(String name, String value, boolean hasValue) {
        if (extinfUs >= 0) {
            throw new PlaylistSyntaxException("EXTINF is not followed by its URI");
        }
        if (!seen.add(name) && ONCE.contains(name)) {
            throw new PlaylistSyntaxException("stands twice");
        }
        boolean hasMedia = !segments.isEmpty() || !parts.isEmpty();
        if (hasMedia && BEFORE_SEGMENTS.contains(name)) {
            throw new PlaylistSyntaxException("stands behind a segment");
        }
        if (BEFORE_PARTS.contains(name)) {
            if (!parts.isEmpty()) {
                throw new PlaylistSyntaxException("stands behind a part of its segment");
            }
            hasPendingTags = true;
        }
        if (hasValue) {
            valued(name, value);
        } else {
            bare(name);
        }
    }

    private void bare(String name) {
        switch (name) {
            case "EXTM3U", "EXT-X-INDEPENDENT-SEGMENTS", "EXT-X-ENDLIST" -> {}
            case "EXT-X-DISCONTINUITY" -> {
                if (discontinuity) {
                    throw new PlaylistSyntaxException("stands twice before a segment");
                }
                discontinuity = true;
            }
            case "EXT-X-GAP" -> {
                gap = true;
                hasPendingTags = true;
            }
            default -> throw new PlaylistSyntaxException("unknown tag, or one without its value");
        }
    }

    private void valued(String name, String value) {
        switch (name) {
            case "EXT-X-VERSION" -> version = (int) AttributeList.integer(value, 100);
            case "EXT-X-TARGETDURATION" ->
                    targetDurationS = (int) AttributeList.integer(value, 1_000_000);
            case "EXT-X-MEDIA-SEQUENCE" ->
                    mediaSequence = AttributeList.integer(value, Long.MAX_VALUE);
            case "EXT-X-DISCONTINUITY-SEQUENCE" -> {
                if (discontinuity) {
                    throw new PlaylistSyntaxException("stands behind EXT-X-DISCONTINUITY");
                }
                discontinuitySequence = AttributeList.integer(value, Long.MAX_VALUE);
            }
            case "EXT-X-PLAYLIST-TYPE" -> {
                if (!Set.of("EVENT", "VOD").contains(value)) {
                    throw new PlaylistSyntaxException("unknown type");
                }
                type = value;
            }
            case "EXT-X-PROGRAM-DATE-TIME" -> date = Optional.of(date(value));
            case "EXTINF" -> extinf(value);
            default -> attributes(name, value);
        }
    }

    private void attributes(String name, String value) {
        switch (name) {
            case "EXT-X-SERVER-CONTROL" -> serverControl(value);
            case "EXT-X-PART-INF" ->
                    partTargetUs = OptionalLong.of(list(value, "PART-TARGET").us("PART-TARGET"));
            case "EXT-X-SKIP" ->
                    skipped = list(value, "SKIPPED-SEGMENTS").integer("SKIPPED-SEGMENTS");
            case "EXT-X-MAP" -> map = list(value, "URI").quoted("URI");
            case "EXT-X-PART" -> {
                AttributeList list = list(value, "DURATION", "URI", "INDEPENDENT");
                parts.add(
                        new Part(
                                list.quoted("URI"),
                                list.us("DURATION"),
                                list.isYes("INDEPENDENT")));
            }
            case "EXT-X-PRELOAD-HINT" -> {
                AttributeList list = list(value, "TYPE", "URI");
                list.enumerated("TYPE", Set.of("PART"));
                if (hint.isPresent()) {
                    throw new PlaylistSyntaxException("two hints of one type");
                }
                hint = Optional.of(list.quoted("URI"));
            }
            case "EXT-X-RENDITION-REPORT" -> {
                AttributeList list = list(value, "URI", "LAST-MSN", "LAST-PART");
                reports.add(
                        new RenditionReport(
                                list.quoted("URI"),
                                list.integer("LAST-MSN"),
                                list.integer("LAST-PART")));
            }
            default -> throw new PlaylistSyntaxException("unknown tag, or one with a value");
        }
    }

    private void serverControl(String value) {
        AttributeList list =
                list(value, "CAN-BLOCK-RELOAD", "CAN-SKIP-UNTIL", "HOLD-BACK", "PART-HOLD-BACK");
        control =
                Optional.of(
                        new ServerControl(
                                list.isYes("CAN-BLOCK-RELOAD"),
                                list.optionalUs("CAN-SKIP-UNTIL"),
                                list.optionalUs("HOLD-BACK"),
                                list.optionalUs("PART-HOLD-BACK")));
    }

    private void extinf(String value) {
        int comma = value.indexOf(',');
        if (comma < 0) {
            throw new PlaylistSyntaxException("no comma behind the duration");
        }
        extinfUs = AttributeList.us(value.substring(0, comma), "EXTINF");
    }

    private void uri(String uri) {
        if (extinfUs < 0) {
            throw new PlaylistSyntaxException("URI without EXTINF");
        }
        segment(uri, extinfUs);
        extinfUs = -1;
    }

    private void segment(String uri, long durationUs) {
        segments.add(
                new Segment(
                        mediaSequence + skipped + segments.size(),
                        uri,
                        durationUs,
                        date,
                        discontinuity,
                        gap,
                        map,
                        parts));
        parts.clear();
        date = Optional.empty();
        discontinuity = false;
        gap = false;
        hasPendingTags = false;
    }

    private HlsPlaylist finish(String text) {
        if (extinfUs >= 0) {
            throw new PlaylistSyntaxException("EXTINF is not followed by its URI");
        }
        if (!seen.contains("EXT-X-TARGETDURATION")) {
            throw new PlaylistSyntaxException("EXT-X-TARGETDURATION is missing");
        }
        if (!parts.isEmpty()) {
            segment("", 0);
        }
        if (hasPendingTags) {
            throw new PlaylistSyntaxException("segment tags without a segment");
        }
        Head head =
                new Head(
                        version,
                        targetDurationS,
                        type,
                        seen.contains("EXT-X-INDEPENDENT-SEGMENTS"),
                        control,
                        partTargetUs,
                        mediaSequence,
                        discontinuitySequence);
        return new HlsPlaylist(
                text, head, skipped, segments, hint, seen.contains("EXT-X-ENDLIST"), reports);
    }

    private static AttributeList list(String value, String... known) {
        return new AttributeList(value, Set.of(known));
    }

    private static Instant date(String value) {
        try {
            return OffsetDateTime.parse(value).toInstant();
        } catch (DateTimeException e) {
            throw new PlaylistSyntaxException("no ISO 8601 date and time: " + e.getMessage());
        }
    }
}
