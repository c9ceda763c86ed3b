package touchline.packager.isobmff;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.List;
import touchline.media.Timescale;

/**
 * The head of an MP4 file that plays while it is downloaded: everything before the media, which
 * follows as it lies. The media is one {@code mdat}; what of it no sample table points to (the
 * headers of recorded fragments) is left unread.
 *
 * <pre>
 * ftyp
 * moov
 *   mvhd
 *   trak (one per track)
 *     tkhd
 *     edts / elst  (where its presentation starts beside the other tracks)
 *     mdia
 *       mdhd, hdlr
 *       minf
 *         vmhd | smhd, dinf
 *         stbl / stsd, stts, ctts, stss, stsc, stsz, stco | co64
 * mdat   (header only, 64 bit size)
 * </pre>
 *
 * <p>Times of the tables are the movie's: 0 is when the first frame is presented (without video,
 * the first audio). The edit list cuts off what is earlier or later than the movie, and delays a
 * track that starts later by an empty edit.
 *
 * <p>Source: ISO/IEC 14496-12, 8. Stateless.
 */
public final class ProgressiveMovie {
    private static final int MDAT_HEADER_BYTES = 16;
    private static final long MAX_U32 = 0xFFFF_FFFFL;

    /** More than any head: what keeps the decision on 32 bit positions from depending on itself. */
    private static final long MAX_HEAD_BYTES = 1L << 30;

    private final List<SampleTable> tables;
    private final Instant created;
    private final Shown shown;
    private final long mediaBytes;
    private final Timescale movie;

    /** The frame's size in pixels; 0 without video. */
    public record Size(int width, int height) {}

    /**
     * @param size as {@code tkhd} has it
     * @param durationUs end of the movie: nothing is shown from there on
     */
    public record Shown(Size size, long durationUs) {}

    private ProgressiveMovie(
            List<SampleTable> tables, Shown shown, Instant created, long mediaBytes) {
        this.tables = tables;
        this.created = created;
        this.shown = shown;
        this.mediaBytes = mediaBytes;
        this.movie = tables.getFirst().timescale();
    }

    /**
     * @param tables with at least one sample each, frames first
     * @param created {@code creation_time}
     * @param mediaBytes how much media follows
     */
    public static MemorySegment head(
            List<SampleTable> tables, Shown shown, Instant created, long mediaBytes) {
        if (tables.isEmpty()) {
            throw new IllegalArgumentException("a movie without tracks");
        }
        ProgressiveMovie movie =
                new ProgressiveMovie(List.copyOf(tables), shown, created, mediaBytes);
        int headBytes = movie.write(/* base= */ 0).sizeBytes();
        return MemorySegment.ofArray(movie.write(headBytes).toByteArray()).asReadOnly();
    }

    private BoxWriter write(long base) {
        BoxWriter out = new BoxWriter(1 << 16);
        out.box("ftyp", () -> brands(out));
        out.box("moov", () -> moov(out, base));
        out.u32(1); // the size stands behind the type
        out.fourCc("mdat");
        out.u64(MDAT_HEADER_BYTES + mediaBytes);
        return out;
    }

    private static void brands(BoxWriter out) {
        out.fourCc("isom");
        out.u32(0x200);
        for (String brand : List.of("isom", "iso2", "mp41")) {
            out.fourCc(brand);
        }
    }

    private void moov(BoxWriter out, long base) {
        long longest = 0;
        for (SampleTable table : tables) {
            longest = Math.max(longest, shownTicks(table));
        }
        MovieBoxes.movieHeader(
                out,
                created,
                movie.ticksPerSecond(),
                longest,
                /* nextTrackId= */ tables.size() + 1);
        for (int i = 0; i < tables.size(); i++) {
            int id = i + 1;
            SampleTable table = tables.get(i);
            out.box("trak", () -> trak(out, id, table, base));
        }
    }

    private void trak(BoxWriter out, int id, SampleTable table, long base) {
        boolean video = table.video();
        Size size = video ? shown.size() : new Size(0, 0);
        MovieBoxes.trackHeader(out, id, shownTicks(table), size.width(), size.height());
        out.box("edts", () -> edits(out, table));
        out.box(
                "mdia",
                () -> {
                    MovieBoxes.mediaHeader(
                            out, table.timescale().ticksPerSecond(), table.durationTicks(), video);
                    out.box(
                            "minf",
                            () -> {
                                MovieBoxes.mediaInformation(out, video);
                                boolean wide = mediaBytes + MAX_HEAD_BYTES > MAX_U32;
                                out.box("stbl", () -> table.write(out, base, wide));
                            });
                });
    }

    /** 8.6.6. */
    private void edits(BoxWriter out, SampleTable table) {
        long emptyTicks = emptyTicks(table);
        long shownTicks = shownTicks(table) - emptyTicks;
        long mediaTime = firstShown(table) - table.firstDecodeTicks();
        boolean wide = shownTicks > MAX_U32 || mediaTime > Integer.MAX_VALUE;
        out.fullBox(
                "elst",
                wide ? 1 : 0,
                0,
                () -> {
                    out.u32(emptyTicks > 0 ? 2 : 1);
                    if (emptyTicks > 0) {
                        edit(out, wide, emptyTicks, -1);
                    }
                    edit(out, wide, shownTicks, mediaTime);
                });
    }

    private static void edit(BoxWriter out, boolean wide, long durationTicks, long mediaTime) {
        if (wide) {
            out.u64(durationTicks);
            out.u64(mediaTime);
        } else {
            out.u32(durationTicks);
            out.u32(mediaTime);
        }
        out.u32(0x0001_0000); // media_rate 1.0
    }

    /** The first moment of a track that is shown, on its own clock. */
    private static long firstShown(SampleTable table) {
        return Math.max(0, table.presentationStartTicks());
    }

    /** How long after the movie's start a track starts, on the movie's clock. */
    private long emptyTicks(SampleTable table) {
        return SampleTable.rescale(firstShown(table), table.timescale(), movie);
    }

    /** From the movie's start to the track's end, on the movie's clock. */
    private long shownTicks(SampleTable table) {
        long endTicks = Math.max(0, table.presentationEndTicks());
        return Math.min(
                SampleTable.rescale(endTicks, table.timescale(), movie),
                movie.fromUs(shown.durationUs()));
    }
}
