package touchline.media.transcode;

import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVChannelLayout;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.ffmpeg.CodecContext;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FilterGraph;
import touchline.media.file.MediaFile;
import touchline.media.file.PacketDecoder;

/**
 * Decodes audio, mixes it to one or two channels and encodes it to AAC. Fills gaps in the
 * timestamps with silence, so that audio stays in sync with video. One owner thread.
 */
final class AudioTranscoder implements StreamProcessor {
    private static final int LAYOUT_NAME_BYTES = 128;

    private final TranscodePlan.Audio.Encode plan;
    private final PacketDecoder decoder;
    private final CodecContext encoder;
    private final OutputSet.Sink sink;
    private final AVRational base;
    private final AVRational samples;
    private final long startTicks;
    private final FollowingGraph graph = new FollowingGraph(this::encode);

    private long nextPts = Long.MIN_VALUE;
    private long nextInput = Long.MIN_VALUE;
    private long endUs;

    AudioTranscoder(
            AVStream stream, long startUs, TranscodePlan.Audio.Encode plan, OutputSet output) {
        this.plan = plan;
        this.base = new AVRational(stream.time_base());
        this.samples = OutputSet.base(plan.sampleRateHz());
        try (AVRational us = new AVRational()) {
            this.startTicks = avutil.av_rescale_q(startUs, us.num(1).den(1_000_000), base);
        }
        this.decoder = PacketDecoder.open(stream, /* threads= */ 1);
        this.encoder = FileEncoders.audio(plan);
        this.sink = output.audio(encoder);
    }

    @Override
    public void accept(AVPacket packet) {
        decoder.decode(packet, this::hear);
    }

    private void hear(AVFrame frame) {
        int rateHz = frame.sample_rate();
        if (rateHz <= 0 || frame.nb_samples() <= 0) {
            return;
        }
        nameLayout(frame);
        try (AVRational inputSamples = OutputSet.base(rateHz)) {
            long known = frame.best_effort_timestamp();
            long pts =
                    OutputSet.hasTime(known)
                            ? avutil.av_rescale_q(known - startTicks, base, inputSamples)
                            : Math.max(0, nextInput);
            nextInput = pts + frame.nb_samples();
            frame.pts(pts);
            endUs = Math.max(endUs, MediaFile.toUs(nextInput, inputSamples));
        }
        String format = arguments(frame);
        graph.push(
                frame,
                format,
                () -> FilterGraph.audio(format, chain(frame), encoder.context().frame_size()));
    }

    /** Sets FFmpeg's default layout if the file contains only a channel count. */
    private static void nameLayout(AVFrame frame) {
        AVChannelLayout layout = frame.ch_layout();
        if (layout.order() == avutil.AV_CHANNEL_ORDER_UNSPEC) {
            avutil.av_channel_layout_default(layout, layout.nb_channels());
        }
    }

    private static String arguments(AVFrame frame) {
        byte[] name = new byte[LAYOUT_NAME_BYTES];
        int length =
                Ffmpeg.check(
                        avutil.av_channel_layout_describe(frame.ch_layout(), name, name.length),
                        "av_channel_layout_describe");
        String layout =
                new String(
                        name,
                        0,
                        Math.min(length, name.length) - 1,
                        java.nio.charset.StandardCharsets.US_ASCII);
        return "time_base=1/%d:sample_rate=%d:sample_fmt=%s:channel_layout=%s"
                .formatted(
                        frame.sample_rate(),
                        frame.sample_rate(),
                        avutil.av_get_sample_fmt_name(frame.format()).getString(),
                        layout);
    }

    private String chain(AVFrame frame) {
        String mix =
                frame.ch_layout().order() == avutil.AV_CHANNEL_ORDER_UNSPEC
                        // The layout is unknown: use the first two channels.
                        ? "pan=stereo|c0=c0|c1=c1,"
                        : "";
        String layout = plan.channels() == 1 ? "mono" : "stereo";
        return mix
                + "aresample="
                + plan.sampleRateHz()
                + ":async=1,aformat=sample_fmts=fltp:channel_layouts="
                + layout;
    }

    private void encode(AVFrame filtered, AVRational from) {
        long pts = avutil.av_rescale_q(filtered.pts(), from, samples);
        if (pts < nextPts) {
            return;
        }
        nextPts = pts + filtered.nb_samples();
        filtered.pts(pts);
        encoder.send(filtered);
        writeAll();
    }

    private void writeAll() {
        while (encoder.receivePacket()) {
            sink.write(encoder.packet(), samples);
        }
    }

    @Override
    public void finish() {
        decoder.finish(this::hear);
        graph.drain();
        encoder.send(null);
        writeAll();
    }

    @Override
    public long endUs() {
        return endUs;
    }

    @Override
    public boolean damaged() {
        return decoder.damaged();
    }

    @Override
    public void close() {
        graph.close();
        encoder.close();
        decoder.close();
        base.close();
        samples.close();
    }
}
