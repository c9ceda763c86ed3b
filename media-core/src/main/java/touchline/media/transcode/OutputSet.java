package touchline.media.transcode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.ffmpeg.CodecContext;

/**
 * The muxers of one output: one muxer, or for HLS one per size and one for audio, with a
 * multivariant playlist. Key frames of all sizes have the same times, so all sizes have the same
 * segment boundaries. One owner thread.
 *
 * <pre>
 * output.mp4 | output.flv
 * index.m3u8   v720/index.m3u8 init.mp4 s00000.m4s …   audio/index.m3u8 init.mp4 s00000.m4s …
 * manifest.mpd init-0.m4s chunk-0-00001.m4s …
 * </pre>
 */
final class OutputSet implements AutoCloseable {
    static final int SEGMENT_SECONDS = 6;

    private final FileFormat format;
    private final Path folder;
    private final Map<Path, OutputMux> muxers = new LinkedHashMap<>();
    private final List<MultivariantPlaylistWriter.Rendition> renditions = new ArrayList<>();
    private boolean hasFrames;
    private boolean hasAudio;

    OutputSet(FileFormat format, Path folder) {
        this.format = format;
        this.folder = folder;
    }

    /** Receives the packets of one stream. */
    interface Sink {
        /**
         * Writes a packet and empties it.
         *
         * @param base time base of the packet
         */
        void write(AVPacket packet, AVRational base);
    }

    /**
     * Whether B-frames are allowed. They delay the first frame. FLV cannot signal this delay.
     * Segments signal it by an edit list, which some players ignore.
     */
    boolean reorders() {
        return format == FileFormat.MP4;
    }

    /** Adds a video size. */
    Sink video(CodecContext encoder) {
        int height = encoder.context().height();
        OutputMux mux = muxer("v" + height, new MultivariantPlaylistWriter.Kind.Video());
        return sink(mux, mux.addEncoded(encoder), /* isAudio= */ false);
    }

    Sink copiedVideo(AVStream source) {
        OutputMux mux =
                muxer(
                        "v" + source.codecpar().height(),
                        new MultivariantPlaylistWriter.Kind.Video());
        return sink(mux, mux.addCopied(source), /* isAudio= */ false);
    }

    Sink audio(CodecContext encoder) {
        OutputMux mux = muxer("audio", new MultivariantPlaylistWriter.Kind.Audio());
        return sink(mux, mux.addEncoded(encoder), /* isAudio= */ true);
    }

    Sink copiedAudio(AVStream source) {
        OutputMux mux = muxer("audio", new MultivariantPlaylistWriter.Kind.Audio());
        return sink(mux, mux.addCopied(source), /* isAudio= */ true);
    }

    private Sink sink(OutputMux mux, int stream, boolean isAudio) {
        hasFrames |= !isAudio;
        hasAudio |= isAudio;
        boolean fromZero = isAudio && format.segmented();
        return (packet, base) -> {
            if (fromZero && packet.pts() < 0) {
                // AAC priming: an edit list would hide it, but some players ignore edit lists in
                // segments.
                avcodec.av_packet_unref(packet);
                return;
            }
            mux.write(packet, stream, base);
        };
    }

    private OutputMux muxer(String rendition, MultivariantPlaylistWriter.Kind kind) {
        Path file =
                format == FileFormat.HLS
                        ? folder(rendition).resolve(MultivariantPlaylistWriter.PLAYLIST)
                        : folder.resolve(format.entryName());
        OutputMux present = muxers.get(file);
        if (present != null) {
            return present;
        }
        OutputMux opened = OutputMux.open(format.wireName(), file);
        muxers.put(file, opened);
        if (format == FileFormat.HLS) {
            renditions.add(new MultivariantPlaylistWriter.Rendition(rendition, kind, opened));
        }
        return opened;
    }

    private Path folder(String name) {
        try {
            return Files.createDirectories(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException("output folder", e);
        }
    }

    private Map<String, String> options(Path file) {
        String seconds = Integer.toString(SEGMENT_SECONDS);
        return switch (format) {
            case MP4 -> Map.of("movflags", "+faststart");
            case FLV -> Map.of("flvflags", "+add_keyframe_index");
            case HLS ->
                    Map.of(
                            "hls_time", seconds,
                            "hls_list_size", "0",
                            "hls_playlist_type", "vod",
                            "hls_segment_type", "fmp4",
                            "hls_fmp4_init_filename", "init.mp4",
                            "hls_segment_filename", file.resolveSibling("s%05d.m4s").toString(),
                            "hls_flags", "independent_segments",
                            "avoid_negative_ts", "disabled");
            case DASH ->
                    Map.of(
                            "seg_duration", seconds,
                            "use_template", "1",
                            "use_timeline", "1",
                            "adaptation_sets", adaptationSets(),
                            "init_seg_name", "init-$RepresentationID$.m4s",
                            "media_seg_name", "chunk-$RepresentationID$-$Number%05d$.m4s",
                            "avoid_negative_ts", "disabled");
        };
    }

    /** All sizes form one set, so that players can switch between them; an empty set is omitted. */
    private String adaptationSets() {
        List<String> sets = new ArrayList<>();
        if (hasFrames) {
            sets.add("id=0,streams=v");
        }
        if (hasAudio) {
            sets.add("id=1,streams=a");
        }
        return String.join(" ", sets);
    }

    /** Starts all muxers after all streams are added. */
    void start() {
        muxers.forEach((file, mux) -> mux.start(options(file)));
    }

    /** Finishes all muxers after the last packet. */
    void finish() {
        muxers.values().forEach(OutputMux::finish);
        if (format == FileFormat.HLS) {
            try {
                MultivariantPlaylistWriter.write(folder.resolve(format.entryName()), renditions);
            } catch (IOException e) {
                throw new UncheckedIOException("multivariant playlist", e);
            }
        }
    }

    /**
     * Called after {@link #finish}, where smaller sizes follow a copied one.
     *
     * @throws CopyUnsuitableException segments of the sizes begin at different times
     */
    void requireAligned() {
        List<Path> playlists =
                renditions.stream()
                        .filter(
                                each ->
                                        each.kind()
                                                instanceof MultivariantPlaylistWriter.Kind.Video)
                        .map(each -> folder.resolve(each.uri()))
                        .toList();
        try {
            SegmentTimes source = SegmentTimes.of(playlists.getFirst());
            for (Path each : playlists) {
                source.requireSame(SegmentTimes.of(each));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("playlists", e);
        }
    }

    @Override
    public void close() {
        muxers.values().forEach(OutputMux::close);
    }

    /** Returns the time base of 1 / {@code ticksPerSecond} s. */
    static AVRational base(int ticksPerSecond) {
        return new AVRational().num(1).den(ticksPerSecond);
    }

    static boolean hasTime(long ticks) {
        return ticks != avutil.AV_NOPTS_VALUE;
    }
}
