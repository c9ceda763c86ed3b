package touchline.packager.hls;

import java.util.List;
import java.util.OptionalInt;

/**
 * The last segment or part that a media playlist lists. Immutable, any thread.
 *
 * @param mediaSequence of the last listed segment; -1 without one
 * @param part index of its last part; {@link #NO_PARTS} where parts are not listed
 * @param sealed the segment is complete
 * @param partsBefore number of parts in the segment before it
 */
public record PlaylistEnd(long mediaSequence, int part, boolean sealed, int partsBefore) {
    private static final int NO_PARTS = -1;

    /**
     * @param segments in order; the last one may be growing
     * @param listsParts low-latency HLS
     */
    static PlaylistEnd of(List<PlaylistSegment> segments, boolean listsParts) {
        int last = segments.size() - 1;
        if (!listsParts && last >= 0 && !segments.get(last).segment().sealed()) {
            last--;
        }
        if (last < 0) {
            return new PlaylistEnd(-1, NO_PARTS, /* sealed= */ false, /* partsBefore= */ 0);
        }
        MediaSegment segment = segments.get(last).segment();
        return new PlaylistEnd(
                segment.mediaSequence(),
                listsParts ? segment.parts().size() - 1 : NO_PARTS,
                segment.sealed(),
                last == 0 ? Integer.MAX_VALUE : segments.get(last - 1).segment().parts().size());
    }

    /** The end of a playlist without parts. */
    static PlaylistEnd wholeSegment(long mediaSequence) {
        return new PlaylistEnd(mediaSequence, NO_PARTS, /* sealed= */ true, /* partsBefore= */ 0);
    }

    /**
     * Whether the playlist answers a blocking reload: it lists the part, or something later
     * (draft-pantos-hls-rfc8216bis-20, 6.2.5.2).
     *
     * @param wanted media sequence number
     * @param wantedPart empty for the whole segment
     */
    public boolean lists(long wanted, OptionalInt wantedPart) {
        if (wanted != mediaSequence) {
            return wanted < mediaSequence;
        }
        return (wantedPart.isEmpty() || part == NO_PARTS) ? sealed : wantedPart.getAsInt() <= part;
    }

    /**
     * Whether a cache may keep the playlist as the answer to a blocking reload: it ends with
     * exactly what was requested. A playlist that is further on is the answer to a client that is
     * late; kept by a cache, it would hold that client back.
     *
     * <p>A playlist that ends with a whole segment is not kept for the segment's last part.
     * video.js 8.24 requests that part again, and would get the same playlist until it expires.
     *
     * @param wanted media sequence number
     * @param wantedPart empty for the whole segment
     */
    public boolean mayBeKept(long wanted, OptionalInt wantedPart) {
        boolean endsWithSegment = sealed && part != NO_PARTS && wantedPart.isPresent();
        return isExactly(wanted, wantedPart) && !endsWithSegment;
    }

    /**
     * A part number past a segment's last part means the next segment's first part
     * (draft-pantos-hls-rfc8216bis-20, 6.2.5.2).
     */
    private boolean isExactly(long wanted, OptionalInt wantedPart) {
        if (wantedPart.isEmpty() || part == NO_PARTS) {
            return sealed && wanted == mediaSequence;
        }
        int index = wantedPart.getAsInt();
        return wanted == mediaSequence
                ? index == part
                : wanted == mediaSequence - 1 && index >= partsBefore && part == 0;
    }
}
