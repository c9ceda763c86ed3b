package touchline.packager.hls;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import touchline.media.CodecConfig;

/**
 * The playlists of a recording: all segments with their dates, no parts. Immutable, any thread.
 *
 * <p>{@code EXT-X-TARGETDURATION} is the longest segment in whole seconds, and at least 6 s. So it
 * stays as it is while a recording grows: 6 s is that of a session in {@code low}, whose segments
 * may get that long, and more than a session in {@code standard} needs unless its first segment is
 * longer. A recording does not say which mode it is of.
 *
 * @param segments in order, at least one
 * @param complete nothing will be added: {@code VOD} and EXT-X-ENDLIST; {@code EVENT} otherwise
 */
public record VodPlaylist(List<Entry> segments, boolean complete) {
    private static final int MIN_TARGET_S = 6;
    private static final long US_PER_SECOND = 1_000_000;

    public VodPlaylist {
        segments = List.copyOf(segments);
        if (segments.isEmpty()) {
            throw new IllegalArgumentException("segments: 0 (expected: > 0)");
        }
    }

    /**
     * A whole segment.
     *
     * @param mediaSequence its number
     * @param initNumber number of its init segment; a change from the segment before is a
     *     discontinuity
     * @param startUs decode time of its first unit, in media microseconds
     * @param programDateTime wall clock at its start
     * @param durationUs greater than 0
     * @param sizeBytes of all its parts
     */
    public record Entry(
            long mediaSequence,
            int initNumber,
            long startUs,
            Instant programDateTime,
            long durationUs,
            long sizeBytes) {}

    /** Numbers of the segments behind a discontinuity. */
    public Set<Long> behindDiscontinuity() {
        Set<Long> numbers = new HashSet<>();
        for (int i = 1; i < segments.size(); i++) {
            if (segments.get(i).initNumber() != segments.get(i - 1).initNumber()) {
                numbers.add(segments.get(i).mediaSequence());
            }
        }
        return Set.copyOf(numbers);
    }

    /** The media playlist, plain and compressed, on the heap. */
    public RenderedPlaylist media() {
        String text = text();
        // Differs from every version of the live playlist under the same address.
        long version = (1L << 40) | Integer.toUnsignedLong(text.hashCode());
        PlaylistEnd end = PlaylistEnd.wholeSegment(segments.getLast().mediaSequence());
        return RenderedPlaylist.of(text, version, end, HeapBlock::allocate);
    }

    /** The media playlist's text. */
    String text() {
        List<PlaylistSegment> lines = new ArrayList<>(segments.size());
        for (Entry entry : segments) {
            lines.add(lines(entry));
        }
        MediaPlaylist.Head head =
                new MediaPlaylist.Head(
                        targetDurationS(),
                        /* partTargetUs= */ 0,
                        /* listsParts= */ false,
                        /* independentSegments= */ false);
        MediaPlaylist playlist =
                new MediaPlaylist(
                        head,
                        lines,
                        complete ? MediaPlaylist.Next.END : MediaPlaylist.Next.SEGMENT);
        StringBuilder out = new StringBuilder(256 + 96 * segments.size());
        playlist.appendHead(out, complete ? MediaPlaylist.Type.VOD : MediaPlaylist.Type.EVENT);
        int _ = playlist.appendSegments(out, 0, lines.size(), MediaPlaylist.NO_INIT);
        playlist.appendEnd(out);
        return out.toString();
    }

    /**
     * The multivariant playlist's text.
     *
     * @param codecs of the tracks, frames first
     * @param mediaUri of the media playlist
     */
    public String multivariant(List<CodecConfig> codecs, String mediaUri) {
        long bytes = 0;
        long us = 0;
        long peakBps = 0;
        long shortUs = targetDurationS() * US_PER_SECOND / 2;
        for (Entry entry : segments) {
            bytes += entry.sizeBytes();
            us += entry.durationUs();
            if (entry.durationUs() >= shortUs) {
                // RFC 8216, 4.1: short segments do not count.
                peakBps = Math.max(peakBps, bps(entry.sizeBytes(), entry.durationUs()));
            }
        }
        long averageBps = bps(bytes, us);
        return new MultivariantPlaylist(
                        codecs,
                        Math.max(peakBps, averageBps),
                        averageBps,
                        /* measuredFrameRate= */ 0,
                        /* independentSegments= */ false,
                        Captions.UNKNOWN)
                .text(mediaUri);
    }

    private static long bps(long bytes, long us) {
        return us == 0 ? 0 : (long) Math.ceil(bytes * 8e6 / us);
    }

    private int targetDurationS() {
        long longestUs = 0;
        for (Entry entry : segments) {
            longestUs = Math.max(longestUs, entry.durationUs());
        }
        return (int) Math.max(MIN_TARGET_S, LatencyProfile.wholeSeconds(longestUs));
    }

    /** Its lines in a playlist. */
    static PlaylistSegment lines(Entry entry) {
        MediaSegment segment =
                new MediaSegment(
                        entry.mediaSequence(),
                        entry.initNumber(),
                        entry.startUs(),
                        entry.programDateTime(),
                        List.of(),
                        /* sealed= */ false);
        MediaSegment.Part whole =
                new MediaSegment.Part(
                        entry.durationUs(),
                        /* independent= */ false,
                        Math.toIntExact(entry.sizeBytes()));
        return PlaylistSegment.of(segment).with(whole).seal().withoutParts();
    }
}
