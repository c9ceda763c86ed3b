package touchline.media.transcode;

import java.util.ArrayDeque;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.Timescale;
import touchline.media.ffmpeg.CodecContext;
import touchline.media.ffmpeg.FilterGraph;
import touchline.media.file.SourceVideo;

/**
 * One size of the video: filters, encoder, output. Rebuilds the filters when the frame size or
 * format changes. One owner thread.
 */
final class VideoRendition implements AutoCloseable {
    /** Decides which frames become key frames. Times in 1/90 000 s. */
    sealed interface KeyFrames {
        boolean isKeyFrame(long ptsTicks);
    }

    /** Every 2 s: every segment boundary, at 6 s, is a key frame. */
    static final class SteadyKeyFrames implements KeyFrames {
        private static final long INTERVAL_TICKS = 2L * Timescale.VIDEO.ticksPerSecond();

        private long nextPtsTicks;

        @Override
        public boolean isKeyFrame(long ptsTicks) {
            boolean key = ptsTicks >= nextPtsTicks;
            if (key) {
                nextPtsTicks = (Math.floorDiv(ptsTicks, INTERVAL_TICKS) + 1) * INTERVAL_TICKS;
            }
            return key;
        }
    }

    /** Where the source has them; where its key frame is not decoded, at the frame behind it. */
    static final class SourceKeyFrames implements KeyFrames {
        /** As many as a decoder can hold back. */
        private final ArrayDeque<Long> waiting = new ArrayDeque<>();

        void add(long ptsTicks) {
            waiting.add(ptsTicks);
        }

        @Override
        public boolean isKeyFrame(long ptsTicks) {
            boolean key = false;
            while (!waiting.isEmpty() && waiting.getFirst() <= ptsTicks) {
                waiting.remove();
                key = true;
            }
            return key;
        }
    }

    private final SourceVideo source;
    private final TranscodePlan.RenditionSettings settings;
    private final KeyFrames keyFrames;
    private final int threads;
    private final CodecContext encoder;
    private final OutputSet.Sink sink;
    private final AVRational ticks = OutputSet.base(Timescale.VIDEO.ticksPerSecond());
    private final long frameTicks;
    private final FollowingGraph graph = new FollowingGraph(this::encode);

    private long lastPts = Long.MIN_VALUE;
    private long decodeDelayTicks;

    VideoRendition(
            SourceVideo source,
            TranscodePlan.RenditionSettings settings,
            KeyFrames keyFrames,
            FileEncoding encoding,
            OutputSet output) {
        this.source = source;
        this.settings = settings;
        this.keyFrames = keyFrames;
        this.threads = encoding.threads();
        this.encoder = FileEncoders.video(source, settings, encoding, output.reorders());
        this.sink = output.video(encoder);
        this.frameTicks = Math.max(1, source.frameRate().ticksOf(1));
    }

    /**
     * Frames are decoded so long before they are shown, as those of a copied source with B-frames.
     * So all sizes have the same edit list, and are in step also where a player ignores it.
     */
    void decodeDelay(long delay, AVRational from) {
        decodeDelayTicks = avutil.av_rescale_q(delay, from, ticks);
    }

    /**
     * The source has a key frame at this time, which counts from the output's start.
     *
     * @param from time base of the time
     */
    void keyFrame(long pts, AVRational from) {
        if (keyFrames instanceof SourceKeyFrames follows) {
            follows.add(avutil.av_rescale_q(pts, from, ticks));
        }
    }

    /**
     * @param frame borrowed; its time counts from the output's start
     * @param base time base of the frame
     */
    void accept(AVFrame frame, AVRational base) {
        String format = arguments(frame, base);
        int width = frame.width();
        int height = frame.height();
        graph.push(
                frame,
                format,
                () ->
                        FilterGraph.video(
                                format, VideoChain.of(source, settings, width, height), threads));
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

    private void encode(AVFrame filtered, AVRational from) {
        long pts = avutil.av_rescale_q(filtered.pts(), from, ticks);
        if (pts <= lastPts) {
            return;
        }
        long duration = avutil.av_rescale_q(filtered.duration(), from, ticks);
        lastPts = pts;
        filtered.pts(pts).duration(duration > 0 ? duration : frameTicks);
        boolean key = keyFrames.isKeyFrame(pts);
        // A decoded frame keeps its old type, which the encoder would treat as a request.
        filtered.pict_type(key ? avutil.AV_PICTURE_TYPE_I : avutil.AV_PICTURE_TYPE_NONE);
        encoder.send(filtered);
        writeAll();
    }

    private void writeAll() {
        while (encoder.receivePacket()) {
            AVPacket packet = encoder.packet();
            packet.dts(packet.dts() - decodeDelayTicks);
            if (packet.duration() <= 0) {
                packet.duration(frameTicks);
            }
            sink.write(packet, ticks);
        }
    }

    void finish() {
        graph.drain();
        encoder.send(null);
        writeAll();
    }

    @Override
    public void close() {
        graph.close();
        encoder.close();
        ticks.close();
    }
}
