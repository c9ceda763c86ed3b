package touchline.packager.hls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What earlier servers have stored of a session that goes on here. Numbers between its segments,
 * and before the first one here, may have no media: it is lost, or they were left out. Immutable,
 * any thread.
 *
 * @param segments in order
 * @param inits file of each init segment, by number; all of them are on this disk
 * @param source brings back the files of segments
 */
public record EarlierSegments(List<Stored> segments, Map<Integer, Path> inits, Source source) {
    /**
     * A gap only keeps the numbers together: it takes no time of the recording, so it takes none in
     * playlists. Not 0, which not all players expect; a date has milliseconds.
     */
    private static final long GAP_US = 1_000;

    /** A segment, and where it lies, here or in the store. */
    public record Stored(VodPlaylist.Entry segment, MediaBody.FileRange place) {}

    /** Port: brings back files of segments that this disk lacks. */
    @FunctionalInterface
    public interface Source {
        /**
         * Returns when the file is on the disk. Blocks.
         *
         * @throws MediaAwayException if it cannot be brought back now
         */
        void ensure(Path file) throws IOException;
    }

    public EarlierSegments {
        segments = List.copyOf(segments);
        inits = Map.copyOf(inits);
    }

    /** Those before a number. */
    EarlierSegments before(long mediaSequence) {
        return new EarlierSegments(
                segments.stream()
                        .filter(each -> each.segment().mediaSequence() < mediaSequence)
                        .toList(),
                inits,
                source);
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    /** Where a segment lies. */
    Optional<MediaBody.FileRange> place(long mediaSequence) {
        int low = 0;
        int high = segments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (segments.get(middle).segment().mediaSequence() < mediaSequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < segments.size() && segments.get(low).segment().mediaSequence() == mediaSequence
                ? Optional.of(segments.get(low).place())
                : Optional.empty();
    }

    VodPlaylist.Entry last() {
        return segments.getLast().segment();
    }

    /** Numbers of the init segments, in their order, each once. */
    List<Integer> usedInits() {
        return segments.stream().map(each -> each.segment().initNumber()).distinct().toList();
    }

    /** Its init segments in memory; the caller takes over their references. Blocks. */
    Map<Integer, MediaBlock> read(MediaMemory memory) throws IOException {
        Map<Integer, byte[]> bytes = new TreeMap<>();
        for (int number : usedInits()) {
            Path file = inits.get(number);
            if (file == null) {
                throw new IOException("init segment " + number + " is missing");
            }
            bytes.put(number, Files.readAllBytes(file));
        }
        Map<Integer, MediaBlock> blocks = new HashMap<>();
        bytes.forEach((number, content) -> blocks.put(number, memory.copy(content)));
        return blocks;
    }

    /**
     * All of them and the gaps, as segments of a window.
     *
     * @param number of the segment that follows
     */
    List<WindowSegment> until(long number) {
        List<WindowSegment> all = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            PlaylistSegment lines = VodPlaylist.lines(segments.get(i).segment());
            all.add(WindowSegment.earlier(lines));
            boolean isLast = i == segments.size() - 1;
            addGaps(
                    all,
                    lines.segment(),
                    isLast ? number : segments.get(i + 1).segment().mediaSequence());
        }
        return all;
    }

    private static void addGaps(List<WindowSegment> all, MediaSegment last, long number) {
        Instant end = last.programDateTime().plus(last.durationUs(), ChronoUnit.MICROS);
        long behindUs = 0;
        for (long each = last.mediaSequence() + 1; each < number; each++) {
            all.add(
                    WindowSegment.earlier(
                            PlaylistSegment.gap(
                                    new MediaSegment(
                                            each,
                                            last.initNumber(),
                                            last.endUs() + behindUs,
                                            end.plus(behindUs, ChronoUnit.MICROS),
                                            List.of(
                                                    new MediaSegment.Part(
                                                            GAP_US,
                                                            /* independent= */ false,
                                                            /* sizeBytes= */ 0)),
                                            /* sealed= */ true))));
            behindUs += GAP_US;
        }
    }
}
