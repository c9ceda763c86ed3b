package touchline.packager.hls;

import java.util.List;
import java.util.Optional;

/**
 * The text of a media playlist. Immutable, any thread.
 *
 * <p>Source: RFC 8216, 4.3; for latency mode low draft-pantos-hls-rfc8216bis-20, 4.4. Every segment
 * carries its date; parts are listed for the last three target durations. The discontinuity that a
 * playlist's first segment stands behind is counted in EXT-X-DISCONTINUITY-SEQUENCE, not written.
 *
 * @param head the same in every playlist of the session
 * @param segments in order without a gap; the last one may be growing
 * @param next what follows
 */
record MediaPlaylist(Head head, List<PlaylistSegment> segments, Next next) {
    private static final long US_PER_SECOND = 1_000_000;

    /** CAN-SKIP-UNTIL must be at least this many target durations. */
    private static final long SKIP_TARGETS = 6;

    /** HOLD-BACK must be at least this many target durations; older parts may be unlisted. */
    private static final long HOLD_BACK_TARGETS = 3;

    /** PART-HOLD-BACK should be at least this many part targets. */
    private static final long HOLD_BACK_PARTS = 3;

    /**
     * A comment in place of the hint. hls.js 1.7 needs a line behind the last segment: without one
     * it takes that segment for the one that follows, and stops at the next playlist.
     */
    private static final String NO_HINT = "# the next part follows a discontinuity\n";

    /** No init segment has been named yet. */
    static final int NO_INIT = -1;

    /** EXT-X-PLAYLIST-TYPE. */
    enum Type {
        /** Not said: segments come and go. */
        LIVE(""),
        /** Segments come. */
        EVENT("#EXT-X-PLAYLIST-TYPE:EVENT\n"),
        /** Nothing changes. */
        VOD("#EXT-X-PLAYLIST-TYPE:VOD\n");

        private final String line;

        Type(String line) {
            this.line = line;
        }
    }

    /** What follows the last part, as far as is known. */
    enum Next {
        /** Another part of the growing segment; the first of the next one where none grows. */
        PART,
        /** Probably the next segment's first part, although the segment has not been sealed yet. */
        SEGMENT,
        /**
         * A part behind a discontinuity, at some time. It is not hinted: a player would load it
         * with the init segment before the discontinuity.
         */
        DISCONTINUITY,
        /** Nothing: the session has ended. */
        END
    }

    /**
     * @param targetDurationS EXT-X-TARGETDURATION
     * @param partTargetUs PART-TARGET
     * @param listsParts low-latency HLS
     * @param independentSegments every segment is known to start with a key frame
     * @param initSuffix follows the number in the names of init segments; empty for the source
     * @param discontinuities how EXT-X-DISCONTINUITY-SEQUENCE counts
     * @param leastPartHoldBackUs PART-HOLD-BACK where three parts are less
     */
    record Head(
            int targetDurationS,
            long partTargetUs,
            boolean listsParts,
            boolean independentSegments,
            String initSuffix,
            DiscontinuityNumbers discontinuities,
            long leastPartHoldBackUs) {
        /** Of a source. */
        Head(
                int targetDurationS,
                long partTargetUs,
                boolean listsParts,
                boolean independentSegments) {
            this(
                    targetDurationS,
                    partTargetUs,
                    listsParts,
                    independentSegments,
                    "",
                    DiscontinuityNumbers.ALL,
                    /* leastPartHoldBackUs= */ 0);
        }

        /** The same with other numbers of discontinuities. */
        Head with(DiscontinuityNumbers numbers) {
            return new Head(
                    targetDurationS,
                    partTargetUs,
                    listsParts,
                    independentSegments,
                    initSuffix,
                    numbers,
                    leastPartHoldBackUs);
        }

        /** Everything before the first segment, but for what depends on the segments. */
        private void append(StringBuilder out, Type type) {
            out.append("#EXTM3U\n#EXT-X-VERSION:").append(listsParts ? 9 : 7);
            out.append("\n#EXT-X-TARGETDURATION:").append(targetDurationS).append('\n');
            out.append(type.line);
            if (independentSegments) {
                out.append("#EXT-X-INDEPENDENT-SEGMENTS\n");
            }
            if (listsParts) {
                out.append("#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=")
                        .append(PlaylistSegment.seconds(targetsUs(SKIP_TARGETS)))
                        .append(",PART-HOLD-BACK=")
                        .append(PlaylistSegment.seconds(partHoldBackUs()))
                        .append(",HOLD-BACK=")
                        .append(PlaylistSegment.seconds(targetsUs(HOLD_BACK_TARGETS)))
                        .append("\n#EXT-X-PART-INF:PART-TARGET=")
                        .append(PlaylistSegment.seconds(partTargetUs))
                        .append('\n');
            }
        }

        private long partHoldBackUs() {
            return Math.max(HOLD_BACK_PARTS * partTargetUs, leastPartHoldBackUs);
        }

        private long targetsUs(long count) {
            return count * targetDurationS * US_PER_SECOND;
        }
    }

    MediaPlaylist {
        segments = List.copyOf(segments);
    }

    /**
     * The live window.
     *
     * @param leftOut before its first segment
     * @param reports EXT-X-RENDITION-REPORT lines of the other renditions
     */
    String window(LeftOutNumbers leftOut, String reports) {
        return text(/* skipped= */ 0, leftOut, reports);
    }

    /**
     * The live window without the segments that clients have; the whole window if there are none.
     *
     * @param leftOut as of {@link #window}
     * @param reports likewise
     */
    String delta(LeftOutNumbers leftOut, String reports) {
        return text(skippable(), leftOut, reports);
    }

    /** What the live window lists last. */
    PlaylistEnd end() {
        return PlaylistEnd.of(segments, head.listsParts());
    }

    /** Everything before the first segment's lines. */
    void appendHead(StringBuilder out, Type type) {
        appendHead(out, type, Optional.empty());
    }

    private void appendHead(StringBuilder out, Type type, Optional<LeftOutNumbers.Gap> gap) {
        head.append(out, type);
        if (!segments.isEmpty()) {
            MediaSegment first = segments.getFirst().segment();
            out.append("#EXT-X-MEDIA-SEQUENCE:")
                    .append(
                            gap.map(LeftOutNumbers.Gap::mediaSequence)
                                    .orElse(first.mediaSequence()));
            out.append("\n#EXT-X-DISCONTINUITY-SEQUENCE:");
            out.append(head.discontinuities.sequence(first.initNumber())).append('\n');
        }
    }

    /**
     * The lines of some segments.
     *
     * @param from index of the first
     * @param to index behind the last
     * @param init number of the init segment named last
     * @return the same after these segments
     */
    int appendSegments(StringBuilder out, int from, int to, int init) {
        int partsFrom = withoutParts();
        int named = init;
        for (int i = from; i < to; i++) {
            PlaylistSegment lines = segments.get(i);
            MediaSegment segment = lines.segment();
            if (!isListed(segment)) {
                continue;
            }
            if (segment.initNumber() != named) {
                if (named != NO_INIT) {
                    out.append("#EXT-X-DISCONTINUITY\n");
                }
                named = segment.initNumber();
                appendMap(out, named);
            }
            out.append(lines.date());
            if (head.listsParts() && i >= partsFrom) {
                out.append(lines.parts());
            }
            out.append(lines.end());
        }
        return named;
    }

    private void appendMap(StringBuilder out, int init) {
        out.append("#EXT-X-MAP:URI=\"init").append(init).append(head.initSuffix());
        out.append(".mp4\"\n");
    }

    /** Lines after the last segment. */
    void appendEnd(StringBuilder out) {
        if (next == Next.END) {
            out.append("#EXT-X-ENDLIST\n");
        } else if (head.listsParts() && next == Next.DISCONTINUITY) {
            out.append(NO_HINT);
        } else if (head.listsParts() && !segments.isEmpty()) {
            out.append("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"").append(hint()).append("\"\n");
        }
    }

    /** Number of segments too old for their parts to be listed. */
    int withoutParts() {
        return wholeBefore(head.targetsUs(HOLD_BACK_TARGETS));
    }

    private String text(int skipped, LeftOutNumbers before, String reports) {
        StringBuilder out = new StringBuilder(512 + 256 * segments.size());
        Optional<LeftOutNumbers.Gap> gap = gap(before);
        appendHead(out, Type.LIVE, gap);
        int init = NO_INIT;
        if (skipped > 0) {
            out.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=").append(skipped).append('\n');
            init = segments.get(skipped - 1).segment().initNumber();
            if (skipped < segments.size() && segments.get(skipped).segment().initNumber() == init) {
                // Some players take it from this playlist alone, not from the skipped segments.
                appendMap(out, init);
            }
        }
        if (gap.isPresent()) {
            // Its init segment stands before the gap, too: players look for one for each segment.
            MediaSegment first = segments.getFirst().segment();
            init = first.initNumber();
            appendMap(out, init);
            gap.get().append(out);
        }
        appendSegments(out, skipped, segments.size(), init);
        appendEnd(out);
        if (next != Next.END) {
            out.append(reports);
        }
        return out.toString();
    }

    /** None where segments can be skipped: by then, clients have seen the first one here. */
    private Optional<LeftOutNumbers.Gap> gap(LeftOutNumbers before) {
        if (segments.isEmpty() || beforeSkipBoundary() > 0) {
            return Optional.empty();
        }
        MediaSegment first = segments.getFirst().segment();
        return isListed(first) ? before.before(first, head) : Optional.empty();
    }

    /** A growing segment is listed by its parts. */
    private boolean isListed(MediaSegment segment) {
        return segment.sealed() || head.listsParts();
    }

    private String hint() {
        MediaSegment last = segments.getLast().segment();
        return last.sealed() || next == Next.SEGMENT
                ? PlaylistSegment.partUri(last.mediaSequence() + 1, 0)
                : segments.getLast().nextPartUri();
    }

    /** Number of segments that clients have (rfc8216bis-20, 4.4.5.2). */
    private int skippable() {
        boolean skips = head.listsParts() && next != Next.END;
        return skips ? beforeSkipBoundary() : 0;
    }

    private int beforeSkipBoundary() {
        return wholeBefore(head.targetsUs(SKIP_TARGETS));
    }

    /** Number of segments wholly before a distance from the playlist's end. */
    private int wholeBefore(long distanceUs) {
        long behindUs = 0;
        int index = segments.size();
        while (index > 0 && behindUs < distanceUs) {
            behindUs += segments.get(--index).segment().durationUs();
        }
        return index;
    }
}
