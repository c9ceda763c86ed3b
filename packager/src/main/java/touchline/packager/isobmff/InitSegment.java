package touchline.packager.isobmff;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import touchline.media.Track;

/**
 * The init segment of a track set: everything a decoder needs before the first {@link Fragment}.
 *
 * <pre>
 * ftyp
 * moov
 *   mvhd
 *   trak (one per track)
 *     tkhd
 *     mdia
 *       mdhd, hdlr
 *       minf
 *         vmhd | smhd
 *         dinf / dref / url
 *         stbl / stsd (the decoder configuration), stts, stsc, stsz, stco (empty)
 *   mvex / trex (one per track)
 * </pre>
 *
 * <p>There is no edit list: media time is written as it is. A stream with B-frames therefore starts
 * to show its first frame one reorder delay after its first decode time, as its publisher sent it,
 * and audio keeps its exact place beside it. (Negative offsets that would let both times start
 * together are read with a shift against the audio by FFmpeg's demuxer, and edit lists are not read
 * by MSE players.)
 *
 * <p>Source: ISO/IEC 14496-12, 8; ISO/IEC 23000-19, 7.3.1. Stateless.
 */
public final class InitSegment {
    private static final int MOVIE_TIMESCALE = 1_000;

    private InitSegment() {}

    /**
     * @param tracks as a timeline names them, video first
     * @param startedAt wall clock of the timeline's start, for {@code creation_time}
     */
    public static byte[] write(List<Track> tracks, Instant startedAt) {
        BoxWriter out = new BoxWriter(1024);
        out.box("ftyp", () -> brands(out));
        out.box("moov", () -> moov(out, tracks, startedAt));
        return out.toByteArray();
    }

    private static void brands(BoxWriter out) {
        out.fourCc("iso6");
        out.u32(0);
        for (String brand : List.of("iso6", "cmfc", "mp41")) {
            out.fourCc(brand);
        }
    }

    private static void moov(BoxWriter out, List<Track> tracks, Instant startedAt) {
        int nextTrackId = tracks.stream().mapToInt(Track::id).max().orElse(0) + 1;
        MovieBoxes.movieHeader(
                out, startedAt, MOVIE_TIMESCALE, /* durationTicks= */ 0, nextTrackId);
        for (Track track : tracks) {
            out.box("trak", () -> trak(out, track));
        }
        out.box(
                "mvex",
                () -> {
                    for (Track track : tracks) {
                        trex(out, track);
                    }
                });
    }

    private static void trak(BoxWriter out, Track track) {
        Optional<VideoFormat> size = VideoFormat.of(track.codec());
        MovieBoxes.trackHeader(
                out,
                track.id(),
                /* durationTicks= */ 0,
                size.map(VideoFormat::width).orElse(0),
                size.map(VideoFormat::height).orElse(0));
        out.box("mdia", () -> mdia(out, track));
    }

    private static void mdia(BoxWriter out, Track track) {
        MovieBoxes.mediaHeader(
                out, track.timescale().ticksPerSecond(), /* durationTicks= */ 0, track.isVideo());
        out.box("minf", () -> minf(out, track));
    }

    private static void minf(BoxWriter out, Track track) {
        MovieBoxes.mediaInformation(out, track.isVideo());
        out.box("stbl", () -> stbl(out, track));
    }

    private static void stbl(BoxWriter out, Track track) {
        out.fullBox(
                "stsd",
                0,
                0,
                () -> {
                    out.u32(1);
                    SampleEntries.write(out, track);
                });
        out.fullBox("stts", 0, 0, () -> out.u32(0));
        out.fullBox("stsc", 0, 0, () -> out.u32(0));
        out.fullBox("stsz", 0, 0, () -> out.zeros(8));
        out.fullBox("stco", 0, 0, () -> out.u32(0));
    }

    private static void trex(BoxWriter out, Track track) {
        out.fullBox(
                "trex",
                0,
                0,
                () -> {
                    out.u32(track.id());
                    out.u32(1); // default_sample_description_index
                    out.u32(0);
                    out.u32(0);
                    out.u32(track.isVideo() ? SampleFlags.DEPENDENT : SampleFlags.SYNC);
                });
    }
}
