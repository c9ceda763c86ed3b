package touchline.media.transcode;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.file.MediaFile;
import touchline.media.file.PacketDecoder;
import touchline.media.file.SourceVideo;

/**
 * Decodes video once and encodes it in each size. Times are kept, so a variable frame rate stays
 * variable. One owner thread.
 */
final class VideoTranscoder implements StreamProcessor {
    private final PacketDecoder decoder;
    private final List<VideoRendition> renditions = new ArrayList<>();
    private final AVRational base;
    private final long startTicks;
    private final long frameTicks;
    private long lastTicks = Long.MIN_VALUE;
    private long endTicks;

    VideoTranscoder(
            AVStream stream,
            long startUs,
            TranscodePlan.Video.Encode plan,
            FileEncoding encoding,
            OutputSet output) {
        this(
                stream,
                startUs,
                new Sizes(plan.source(), plan.renditions(), /* followsSource= */ false),
                encoding,
                output);
    }

    VideoTranscoder(
            AVStream stream, long startUs, Sizes sizes, FileEncoding encoding, OutputSet output) {
        this.base = new AVRational(stream.time_base());
        try (AVRational us = new AVRational()) {
            us.num(1).den(1_000_000);
            this.startTicks = avutil.av_rescale_q(startUs, us, base);
            long frameUs = Math.round(1_000_000 / sizes.source().frameRate().perSecond());
            this.frameTicks = Math.max(1, avutil.av_rescale_q(frameUs, us, base));
        }
        this.decoder = PacketDecoder.open(stream, encoding.threads());
        try {
            for (TranscodePlan.RenditionSettings settings : sizes.renditions()) {
                VideoRendition.KeyFrames keyFrames =
                        sizes.followsSource()
                                ? new VideoRendition.SourceKeyFrames()
                                : new VideoRendition.SteadyKeyFrames();
                renditions.add(
                        new VideoRendition(sizes.source(), settings, keyFrames, encoding, output));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * @param followsSource key frames are those of {@link #keyFrame}, else at steady intervals
     */
    record Sizes(
            SourceVideo source,
            List<TranscodePlan.RenditionSettings> renditions,
            boolean followsSource) {}

    /**
     * How long before its presentation a frame of the source is decoded; before the first frame.
     */
    void decodeDelay(long delayTicks) {
        renditions.forEach(each -> each.decodeDelay(delayTicks, base));
    }

    /** The source has a key frame at this presentation time, as in its packet. */
    void keyFrame(long ptsTicks) {
        for (VideoRendition each : renditions) {
            each.keyFrame(ptsTicks - startTicks, base);
        }
    }

    @Override
    public void accept(AVPacket packet) {
        decoder.decode(packet, this::show);
    }

    private void show(AVFrame frame) {
        long known = frame.best_effort_timestamp();
        long pts = OutputSet.hasTime(known) ? known - startTicks : afterLast();
        if (pts < 0 || pts <= lastTicks) {
            return;
        }
        lastTicks = pts;
        long duration = frame.duration() > 0 ? frame.duration() : frameTicks;
        endTicks = pts + duration;
        frame.pts(pts).duration(duration);
        for (VideoRendition settings : renditions) {
            settings.accept(frame, base);
        }
    }

    private long afterLast() {
        return lastTicks == Long.MIN_VALUE ? 0 : lastTicks + frameTicks;
    }

    @Override
    public void finish() {
        decoder.finish(this::show);
        renditions.forEach(VideoRendition::finish);
    }

    @Override
    public long endUs() {
        return MediaFile.toUs(endTicks, base);
    }

    @Override
    public boolean damaged() {
        return decoder.damaged();
    }

    @Override
    public void close() {
        renditions.forEach(VideoRendition::close);
        decoder.close();
        base.close();
    }
}
