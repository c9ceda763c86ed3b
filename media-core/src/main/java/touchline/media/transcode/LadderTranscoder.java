package touchline.media.transcode;

import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.global.avcodec;
import touchline.media.ffmpeg.Ffmpeg;

/**
 * Copies a video, and encodes it in smaller sizes with key frames at the same times, so that the
 * segments of all sizes begin at the same times. One owner thread.
 */
final class LadderTranscoder implements StreamProcessor {
    private final StreamCopier copier;
    private final VideoTranscoder transcoder;
    private final AVPacket shared = avcodec.av_packet_alloc();
    private boolean begun;

    LadderTranscoder(
            AVStream stream,
            long startUs,
            TranscodePlan.Video.CopyAndEncode plan,
            FileEncoding encoding,
            OutputSet output) {
        this.copier = new StreamCopier(stream, startUs, output.copiedVideo(stream));
        this.transcoder =
                new VideoTranscoder(
                        stream,
                        startUs,
                        new VideoTranscoder.Sizes(
                                plan.source(), plan.smaller(), /* followsSource= */ true),
                        encoding,
                        output);
    }

    @Override
    public void accept(AVPacket packet) {
        boolean key = (packet.flags() & avcodec.AV_PKT_FLAG_KEY) != 0;
        if (!begun && OutputSet.hasTime(packet.pts()) && OutputSet.hasTime(packet.dts())) {
            begun = true;
            transcoder.decodeDelay(packet.pts() - packet.dts());
        }
        if (key && OutputSet.hasTime(packet.pts())) {
            transcoder.keyFrame(packet.pts());
        }
        Ffmpeg.check(avcodec.av_packet_ref(shared, packet), "av_packet_ref");
        transcoder.accept(shared);
        copier.accept(packet);
    }

    @Override
    public void finish() {
        transcoder.finish();
        copier.finish();
    }

    @Override
    public long endUs() {
        return Math.max(copier.endUs(), transcoder.endUs());
    }

    @Override
    public boolean damaged() {
        return transcoder.damaged();
    }

    @Override
    public void close() {
        transcoder.close();
        copier.close();
        avcodec.av_packet_free(shared);
    }
}
