package touchline.benchmarks.cluster;

import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.recordings.ListedMedia;
import touchline.benchmarks.recordings.Span;

/**
 * A live media playlist as a viewer has received it, without skipped segments and gaps
 * (draft-pantos-hls-rfc8216bis-20, 4.4).
 *
 * @param media segments and parts
 * @param discontinuitySequence of the first segment
 * @param marks one for each complete segment
 * @param newestGaps gaps behind the newest complete segment
 * @param open of the segment that grows
 */
record ViewedWindow(
        LowLatencyPlaylist media,
        long discontinuitySequence,
        int targetDurationS,
        boolean ended,
        List<Mark> marks,
        int newestGaps,
        Mark open) {
    private static final String DISCONTINUITIES = "#EXT-X-DISCONTINUITY-SEQUENCE:";
    private static final String TARGET = "#EXT-X-TARGETDURATION:";
    private static final String DATE = "#EXT-X-PROGRAM-DATE-TIME:";
    private static final String MAP = "#EXT-X-MAP:URI=\"";

    /** A date is written in milliseconds, a duration in microseconds. */
    private static final long ROUNDING_MS = 20;

    /**
     * @param init name of its init segment
     */
    record Mark(Optional<Instant> date, boolean discontinuity, String init) {}

    ViewedWindow {
        marks = List.copyOf(marks);
    }

    static ViewedWindow parse(String text, URI address) {
        List<Mark> marks = new ArrayList<>();
        long discontinuities = 0;
        int target = 0;
        Optional<Instant> date = Optional.empty();
        boolean discontinuity = false;
        boolean gap = false;
        int newestGaps = 0;
        String init = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith(DISCONTINUITIES)) {
                discontinuities = Long.parseLong(line.substring(DISCONTINUITIES.length()));
            } else if (line.startsWith(TARGET)) {
                target = Integer.parseInt(line.substring(TARGET.length()));
            } else if (line.startsWith(DATE)) {
                date = Optional.of(Instant.parse(line.substring(DATE.length())));
            } else if (line.startsWith(MAP)) {
                init = line.substring(MAP.length(), line.indexOf('"', MAP.length()));
            } else if (line.equals("#EXT-X-DISCONTINUITY")) {
                discontinuity = true;
            } else if (line.equals("#EXT-X-GAP")) {
                gap = true;
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                newestGaps = gap ? newestGaps + 1 : 0;
                if (!gap) {
                    marks.add(new Mark(date, discontinuity, init));
                }
                date = Optional.empty();
                discontinuity = false;
                gap = false;
            }
        }
        return new ViewedWindow(
                LowLatencyPlaylist.parse(text, address),
                discontinuities,
                target,
                text.contains("#EXT-X-ENDLIST"),
                marks,
                newestGaps,
                new Mark(date, discontinuity, init));
    }

    /** {@code EXT-X-MEDIA-SEQUENCE}; -1 without a complete segment. */
    long firstNumber() {
        return media.segments().isEmpty() ? -1 : media.segments().getFirst().mediaSequence();
    }

    /** The newest complete segment, or the gap behind it; -1 without a complete segment. */
    long lastNumber() {
        return media.segments().isEmpty()
                ? -1
                : media.segments().getLast().mediaSequence() + newestGaps;
    }

    /** Its segments with dates, and the parts of the segment that grows. */
    List<ListedMedia.Listed> listed() {
        List<ListedMedia.Listed> listed = new ArrayList<>();
        for (int i = 0; i < marks.size(); i++) {
            LowLatencyPlaylist.Item segment = media.segments().get(i);
            marks.get(i)
                    .date()
                    .ifPresent(
                            date ->
                                    listed.add(
                                            new ListedMedia.Listed(
                                                    segment.mediaSequence(),
                                                    Span.of(date, segment.seconds()))));
        }
        long last = lastNumber();
        List<LowLatencyPlaylist.Item> parts =
                media.parts().stream().filter(part -> part.mediaSequence() > last).toList();
        Optional<Instant> begin = open.date();
        if (begin.isEmpty() && !open.discontinuity() && !marks.isEmpty()) {
            double seconds = media.segments().getLast().seconds();
            begin = marks.getLast().date().map(date -> date.plusNanos(Math.round(seconds * 1e9)));
        }
        if (begin.isPresent() && !parts.isEmpty()) {
            double seconds = parts.stream().mapToDouble(LowLatencyPlaylist.Item::seconds).sum();
            listed.add(
                    new ListedMedia.Listed(
                            parts.getFirst().mediaSequence(), Span.of(begin.get(), seconds)));
        }
        return listed;
    }

    /** What is wrong inside of it: holes without a mark, segments above the target duration. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        List<LowLatencyPlaylist.Item> segments = media.segments();
        for (int i = 0; i < segments.size(); i++) {
            LowLatencyPlaylist.Item segment = segments.get(i);
            if (Math.round(segment.seconds()) > targetDurationS) {
                faults.add(
                        "segment %d: %.3f s (target duration: %d)"
                                .formatted(
                                        segment.mediaSequence(),
                                        segment.seconds(),
                                        targetDurationS));
            }
            if (i > 0 && !marks.get(i).discontinuity()) {
                hole(segments.get(i - 1), marks.get(i - 1), segment, marks.get(i))
                        .ifPresent(faults::add);
            }
        }
        return faults;
    }

    private static Optional<String> hole(
            LowLatencyPlaylist.Item before,
            Mark dateBefore,
            LowLatencyPlaylist.Item segment,
            Mark mark) {
        if (dateBefore.date().isEmpty() || mark.date().isEmpty()) {
            return Optional.empty();
        }
        Instant end =
                dateBefore.date().get().plusNanos(Math.round(before.seconds() * 1_000_000_000L));
        long offMs = end.until(mark.date().get(), ChronoUnit.MILLIS);
        return Math.abs(offMs) <= ROUNDING_MS
                ? Optional.empty()
                : Optional.of(
                        "segment %d begins %d ms after the end of %d, without a discontinuity"
                                .formatted(segment.mediaSequence(), offMs, before.mediaSequence()));
    }
}
