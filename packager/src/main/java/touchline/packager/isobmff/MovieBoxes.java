package touchline.packager.isobmff;

import java.time.Instant;

/**
 * Boxes that an {@link InitSegment} and a {@link ProgressiveMovie} have in common. Stateless.
 *
 * <p>Source: ISO/IEC 14496-12, 8.
 */
final class MovieBoxes {
    static final long SECONDS_1904_TO_1970 = 2_082_844_800L;
    private static final long MAX_U32 = 0xFFFF_FFFFL;

    /** Enabled, in movie, in preview. */
    private static final int TRACK_FLAGS = 0x000007;

    /** "und", ISO 639-2/T, five bits a letter. */
    private static final int NO_LANGUAGE = 0x55C4;

    /** 16.16 and 2.30 fixed point, column by column (ISO/IEC 14496-12, 6.2.2). */
    private static final int[] UNITY_MATRIX = {0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000};

    private MovieBoxes() {}

    /**
     * @param durationTicks in the movie's timescale; 0 where fragments follow
     */
    static void movieHeader(
            BoxWriter out, Instant created, int timescale, long durationTicks, int nextTrackId) {
        long seconds = created.getEpochSecond() + SECONDS_1904_TO_1970;
        out.fullBox(
                "mvhd",
                1,
                0,
                () -> {
                    out.u64(seconds);
                    out.u64(seconds);
                    out.u32(timescale);
                    out.u64(durationTicks);
                    out.u32(0x0001_0000); // rate 1.0
                    out.u16(0x0100); // volume 1.0
                    out.zeros(10);
                    matrix(out);
                    out.zeros(24);
                    out.u32(nextTrackId);
                });
    }

    /**
     * @param durationTicks in the movie's timescale
     * @param width in pixels, 0 for audio
     * @param height in pixels, 0 for audio
     */
    static void trackHeader(BoxWriter out, int id, long durationTicks, int width, int height) {
        boolean isLong = durationTicks > MAX_U32;
        out.fullBox(
                "tkhd",
                isLong ? 1 : 0,
                TRACK_FLAGS,
                () -> {
                    out.zeros(isLong ? 16 : 8);
                    out.u32(id);
                    out.zeros(4);
                    number(out, durationTicks, isLong);
                    out.zeros(8);
                    out.u16(0); // layer
                    out.u16(0); // alternate_group
                    out.u16(width > 0 ? 0 : 0x0100); // volume
                    out.zeros(2);
                    matrix(out);
                    out.u32((long) width << 16);
                    out.u32((long) height << 16);
                });
    }

    /** mdhd and hdlr. */
    static void mediaHeader(BoxWriter out, int timescale, long durationTicks, boolean video) {
        boolean isLong = durationTicks > MAX_U32;
        out.fullBox(
                "mdhd",
                isLong ? 1 : 0,
                0,
                () -> {
                    out.zeros(isLong ? 16 : 8);
                    out.u32(timescale);
                    number(out, durationTicks, isLong);
                    out.u16(NO_LANGUAGE);
                    out.u16(0);
                });
        out.fullBox(
                "hdlr",
                0,
                0,
                () -> {
                    out.u32(0);
                    out.fourCc(video ? "vide" : "soun");
                    out.zeros(12);
                    out.u8(0); // name: empty
                });
    }

    /** vmhd or smhd, and dinf: the media stands in this very file. */
    static void mediaInformation(BoxWriter out, boolean video) {
        if (video) {
            out.fullBox("vmhd", 0, 1, () -> out.zeros(8));
        } else {
            out.fullBox("smhd", 0, 0, () -> out.zeros(4));
        }
        out.box(
                "dinf",
                () ->
                        out.fullBox(
                                "dref",
                                0,
                                0,
                                () -> {
                                    out.u32(1);
                                    out.fullBox("url ", 0, 1, () -> {});
                                }));
    }

    private static void number(BoxWriter out, long value, boolean isLong) {
        if (isLong) {
            out.u64(value);
        } else {
            out.u32(value);
        }
    }

    private static void matrix(BoxWriter out) {
        for (int value : UNITY_MATRIX) {
            out.u32(value);
        }
    }
}
