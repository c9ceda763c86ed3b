package touchline.media.transcode;

import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;
import touchline.media.Timescale;
import touchline.media.ffmpeg.CodecContext;
import touchline.media.file.SourceVideo;

/**
 * One size of the video: filters, encoder, output. Rebuilds the filters when the frame size or
 * format changes. One owner thread.
 */
final class VideoRendition implements AutoCloseable {
    /** Key frame interval of 2 s: every segment boundary, at 6 s, is a key frame. */
    private static final long KEY_FRAME_TICKS = 2L * Timescale.VIDEO.ticksPerSecond();

    private final SourceVideo source;
    private final TranscodePlan.RenditionSettings settings;
    private final int threads;
    private final CodecContext encoder;
    private final OutputSet.Sink sink;
    private final AVRational ticks = OutputSet.base(Timescale.VIDEO.ticksPerSecond());
    private final long frameTicks;
    private final AVFrame filtered = avutil.av_frame_alloc();

    private @Nullable FilterGraph graph;
    private String graphOf = "";
    private long lastPts = Long.MIN_VALUE;
    private long nextKeyPts;

    VideoRendition(
            SourceVideo source,
            TranscodePlan.RenditionSettings settings,
            FileEncoding encoding,
            OutputSet output) {
        this.source = source;
        this.settings = settings;
        this.threads = encoding.threads();
        this.encoder = FileEncoders.video(source, settings, encoding, output.reorders());
        this.sink = output.video(encoder);
        this.frameTicks = Math.max(1, source.frameRate().ticksOf(1));
    }

    /**
     * @param frame borrowed; its time counts from the output's start
     * @param base time base of the frame
     */
    void accept(AVFrame frame, AVRational base) {
        String arguments = arguments(frame, base);
        FilterGraph current = graph;
        if (current == null || !arguments.equals(graphOf)) {
            drainGraph();
            String chain = VideoChain.of(source, settings, frame.width(), frame.height());
            current = FilterGraph.video(arguments, chain, threads);
            graph = current;
            graphOf = arguments;
        }
        current.push(frame);
        pullAll(current);
    }

    private static String arguments(AVFrame frame, AVRational base) {
        AVRational aspect = frame.sample_aspect_ratio();
        boolean known = aspect.num() > 0 && aspect.den() > 0;
        return "video_size=%dx%d:pix_fmt=%d:time_base=%d/%d:pixel_aspect=%d/%d:colorspace=%d:range=%d"
                .formatted(
                        frame.width(),
                        frame.height(),
                        frame.format(),
                        base.num(),
                        base.den(),
                        known ? aspect.num() : 1,
                        known ? aspect.den() : 1,
                        frame.colorspace(),
                        frame.color_range());
    }

    private void drainGraph() {
        FilterGraph ending = graph;
        if (ending != null) {
            graph = null;
            try (ending) {
                ending.push(null);
                pullAll(ending);
            }
        }
    }

    private void pullAll(FilterGraph from) {
        while (from.pull(filtered)) {
            try {
                encode(from);
            } finally {
                avutil.av_frame_unref(filtered);
            }
        }
    }

    private void encode(FilterGraph from) {
        long pts = avutil.av_rescale_q(filtered.pts(), from.timeBase(), ticks);
        if (pts <= lastPts) {
            return;
        }
        long duration = avutil.av_rescale_q(filtered.duration(), from.timeBase(), ticks);
        lastPts = pts;
        filtered.pts(pts).duration(duration > 0 ? duration : frameTicks);
        boolean key = pts >= nextKeyPts;
        if (key) {
            nextKeyPts = (Math.floorDiv(pts, KEY_FRAME_TICKS) + 1) * KEY_FRAME_TICKS;
        }
        // A decoded frame keeps its old type, which the encoder would treat as a request.
        filtered.pict_type(key ? avutil.AV_PICTURE_TYPE_I : avutil.AV_PICTURE_TYPE_NONE);
        encoder.send(filtered);
        writeAll();
    }

    private void writeAll() {
        while (encoder.receivePacket()) {
            AVPacket packet = encoder.packet();
            if (packet.duration() <= 0) {
                packet.duration(frameTicks);
            }
            sink.write(packet, ticks);
        }
    }

    void finish() {
        drainGraph();
        encoder.send(null);
        writeAll();
    }

    @Override
    public void close() {
        if (graph != null) {
            graph.close();
            graph = null;
        }
        avutil.av_frame_free(filtered);
        encoder.close();
        ticks.close();
    }
}
