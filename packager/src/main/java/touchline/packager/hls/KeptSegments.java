package touchline.packager.hls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The segments of a window, oldest first and without a hole in their numbers: which are listed, and
 * which are only kept. Those of earlier servers come first. Owns one reference to each block. Not
 * thread-safe: guarded by its window's lock.
 */
final class KeptSegments {
    /** Minimum of listed segments, whatever their size. */
    private static final int MIN_SEGMENTS = 3;

    private final List<WindowSegment> segments = new ArrayList<>();
    private final boolean recorded;
    private final long windowUs;
    private final long maxMemoryBytes;
    private long listedFrom;

    /** An earlier server listed no number before this one any more. */
    private long listedThereFrom;

    /** Number of the first segment that is not an earlier server's. */
    private long firstHere = Long.MIN_VALUE;

    /**
     * @param maxMemoryBytes of sealed media that could not be stored
     */
    KeptSegments(LiveWindow.Settings settings, long maxMemoryBytes) {
        this.recorded = settings.recorded();
        this.windowUs = settings.window().toNanos() / 1_000;
        this.maxMemoryBytes = maxMemoryBytes;
        this.listedFrom = settings.firstMediaSequence();
    }

    /** Those of a stop of the server. */
    void resume(StoredWindow stored) {
        segments.addAll(WindowSegment.of(stored));
        listedThereFrom = stored.listedFrom();
        if (!segments.isEmpty()) {
            listedFrom = stored.listedFrom();
        }
    }

    /** Segments of earlier servers, up to the first one here. */
    void precededBy(List<WindowSegment> earlier) {
        firstHere = earlier.getLast().segment().mediaSequence() + 1;
        segments.addAll(0, earlier);
    }

    /**
     * Lists those of earlier servers that the window reaches; the first one is no gap. A playlist
     * never begins earlier than one before it (RFC 8216, 6.2.2). So what the earlier server did not
     * list stays unlisted, and a lost number counts as long as any segment: that server may have
     * listed it.
     */
    void listEarlier() {
        long longestUs = 0;
        for (WindowSegment each : segments) {
            longestUs = Math.max(longestUs, each.segment().durationUs());
        }
        int from = segments.size();
        long listedUs = 0;
        while (from > 0
                && listedUs < windowUs
                && segments.get(from - 1).segment().mediaSequence() >= listedThereFrom) {
            WindowSegment next = segments.get(--from);
            listedUs += next.lines().isGap() ? longestUs : next.segment().durationUs();
        }
        while (from < segments.size() && segments.get(from).lines().isGap()) {
            from++;
        }
        listedFrom =
                from < segments.size()
                        ? segments.get(from).segment().mediaSequence()
                        : segments.getLast().segment().mediaSequence() + 1;
    }

    void add(WindowSegment segment) {
        segments.add(segment);
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    WindowSegment first() {
        return segments.getFirst();
    }

    WindowSegment last() {
        return segments.getLast();
    }

    List<WindowSegment> all() {
        return segments;
    }

    /** Number of the first listed segment. */
    long listedFrom() {
        return listedFrom;
    }

    /** Those from a number on. */
    List<PlaylistSegment> since(long mediaSequence) {
        if (segments.isEmpty()) {
            return List.of();
        }
        int from = Math.clamp(mediaSequence - oldest(), 0, segments.size());
        List<PlaylistSegment> lines = new ArrayList<>(segments.size() - from);
        for (WindowSegment entry : segments.subList(from, segments.size())) {
            lines.add(entry.lines());
        }
        return lines;
    }

    Optional<WindowSegment> find(long mediaSequence) {
        if (segments.isEmpty()) {
            return Optional.empty();
        }
        long index = mediaSequence - oldest();
        return index < 0 || index >= segments.size()
                ? Optional.empty()
                : Optional.of(segments.get((int) index));
    }

    private long oldest() {
        return first().segment().mediaSequence();
    }

    /** The newest one of this server that starts at a time or before it. */
    Optional<MediaSegment> startingBy(long mediaUs) {
        return WindowSegment.startingBy(segments, mediaUs)
                .filter(segment -> segment.mediaSequence() >= firstHere);
    }

    /** Frees the memory of segments that lie in files, up to a number. */
    void freeStored(long upTo) {
        WindowSegment.freeStored(segments, upTo);
    }

    void clear() {
        segments.forEach(WindowSegment::freeMemory);
        segments.clear();
    }

    /**
     * Unlists segments that the window no longer needs; drops those unlisted a window ago. A
     * playlist never begins with a gap: gaps leave with the segment before them.
     */
    void slide() {
        List<PlaylistSegment> listed = since(listedFrom);
        long listedUs = durationUs(listed);
        int next = 0;
        while (next < listed.size()) {
            int end = next + 1;
            while (end < listed.size() && listed.get(end).isGap()) {
                end++;
            }
            long leavingUs = durationUs(listed.subList(next, end));
            boolean isSpare = listedUs - leavingUs >= windowUs;
            boolean isTooMuch = WindowSegment.unstoredBytes(segments) > maxMemoryBytes;
            if (listed.size() - end < MIN_SEGMENTS || !(isSpare || isTooMuch)) {
                break;
            }
            listedUs -= leavingUs;
            for (PlaylistSegment lines : listed.subList(next, end)) {
                unlist(lines.segment().mediaSequence());
            }
            next = end;
        }
    }

    private static long durationUs(List<PlaylistSegment> segments) {
        long us = 0;
        for (PlaylistSegment lines : segments) {
            us += lines.segment().durationUs();
        }
        return us;
    }

    private void unlist(long mediaSequence) {
        listedFrom = mediaSequence + 1;
        find(mediaSequence).ifPresent(WindowSegment::unlist);
        dropUnlisted();
    }

    private void dropUnlisted() {
        long keptUs = 0;
        int first = segments.size();
        while (first > 0) {
            WindowSegment entry = segments.get(first - 1);
            boolean listed = entry.segment().mediaSequence() >= listedFrom;
            boolean old = keptUs >= 2 * windowUs && !recorded;
            if (!listed && (old || !entry.isStored())) {
                break;
            }
            keptUs += entry.segment().durationUs();
            first--;
        }
        List<WindowSegment> dropped = segments.subList(0, first);
        dropped.forEach(WindowSegment::freeMemory);
        dropped.clear();
    }
}
