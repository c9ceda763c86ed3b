package touchline.benchmarks.load;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * A live media playlist, with or without parts (draft-pantos-hls-rfc8216bis-20, 4.4).
 *
 * @param segments complete segments but for gaps, oldest first
 * @param parts listed parts, oldest first
 */
public record LowLatencyPlaylist(List<Item> segments, List<Item> parts) {
    private static final String SEQUENCE = "#EXT-X-MEDIA-SEQUENCE:";
    private static final String SKIP = "#EXT-X-SKIP:SKIPPED-SEGMENTS=";

    /**
     * @param mediaSequence number of the segment
     * @param part index in the segment; 0 for a segment
     */
    public record Item(long mediaSequence, int part, double seconds, URI address) {
        boolean isAfter(Item other) {
            return mediaSequence != other.mediaSequence
                    ? mediaSequence > other.mediaSequence
                    : part > other.part;
        }
    }

    public LowLatencyPlaylist {
        segments = List.copyOf(segments);
        parts = List.copyOf(parts);
    }

    public static LowLatencyPlaylist parse(String text, URI address) {
        List<Item> segments = new ArrayList<>();
        List<Item> parts = new ArrayList<>();
        long number = 0;
        int part = 0;
        double seconds = 0;
        boolean gap = false;
        for (String line : text.lines().toList()) {
            if (line.startsWith(SEQUENCE)) {
                number = Long.parseLong(line.substring(SEQUENCE.length()));
            } else if (line.startsWith(SKIP)) {
                number += Long.parseLong(line.substring(SKIP.length()).split(",", 2)[0]);
            } else if (line.startsWith("#EXT-X-PART:")) {
                double duration = Double.parseDouble(after(line, "DURATION=").split(",", 2)[0]);
                URI at = address.resolve(after(line, "URI=\"").split("\"", 2)[0]);
                parts.add(new Item(number, part++, duration, at));
            } else if (line.startsWith("#EXTINF:")) {
                seconds = Double.parseDouble(line.substring(8).split(",", 2)[0]);
            } else if (line.equals("#EXT-X-GAP")) {
                gap = true;
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                if (!gap) {
                    segments.add(new Item(number, 0, seconds, address.resolve(line)));
                }
                number++;
                part = 0;
                gap = false;
            }
        }
        return new LowLatencyPlaylist(segments, parts);
    }

    /** The first media playlist of a multivariant playlist. */
    public static URI mediaOf(String multivariant, URI address) {
        return address.resolve(
                multivariant
                        .lines()
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                        .findFirst()
                        .orElseThrow());
    }

    /** Listed media in seconds: segments, and the parts of the open segment. */
    public double seconds() {
        long last = segments.isEmpty() ? -1 : segments.getLast().mediaSequence();
        double seconds = segments.stream().mapToDouble(Item::seconds).sum();
        return seconds
                + parts.stream()
                        .filter(part -> part.mediaSequence() > last)
                        .mapToDouble(Item::seconds)
                        .sum();
    }

    /** The query of a blocking reload for the next part. */
    public String reloadQuery() {
        long next = segments.isEmpty() ? 0 : segments.getLast().mediaSequence() + 1;
        if (parts.isEmpty()) {
            return "_HLS_msn=" + next + "&_HLS_part=0";
        }
        Item last = parts.getLast();
        boolean sealed = !segments.isEmpty() && last.mediaSequence() < next;
        return sealed
                ? "_HLS_msn=" + next + "&_HLS_part=0"
                : "_HLS_msn=" + last.mediaSequence() + "&_HLS_part=" + (last.part() + 1);
    }

    private static String after(String line, String prefix) {
        return line.substring(line.indexOf(prefix) + prefix.length());
    }
}
