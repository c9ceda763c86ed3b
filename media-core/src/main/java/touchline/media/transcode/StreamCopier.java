package touchline.media.transcode;

import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.SizeTPointer;
import touchline.media.file.MediaFile;

/**
 * Copies a stream to the output, with times that start at 0. The copy fails if the container needs
 * an edit list or cannot express the stream. One owner thread.
 */
final class StreamCopier implements StreamProcessor {
    private final OutputSet.Sink sink;
    private final boolean video;
    private final AVRational base;
    private final long startTicks;
    private long lastDts = Long.MIN_VALUE;
    private long lastStep;
    private long endTicks;
    private boolean begun;

    StreamCopier(AVStream source, long startUs, OutputSet.Sink sink) {
        this.sink = sink;
        this.video = source.codecpar().codec_type() == avutil.AVMEDIA_TYPE_VIDEO;
        this.base = new AVRational(source.time_base());
        try (AVRational us = new AVRational()) {
            this.startTicks = avutil.av_rescale_q(startUs, us.num(1).den(1_000_000), base);
        }
    }

    @Override
    public void accept(AVPacket packet) {
        if ((packet.flags() & avcodec.AV_PKT_FLAG_DISCARD) != 0) {
            require(!video, "frames that are decoded and not shown");
            return;
        }
        require(OutputSet.hasTime(packet.pts()) && OutputSet.hasTime(packet.dts()), "no times");
        require((packet.flags() & avcodec.AV_PKT_FLAG_CORRUPT) == 0, "a damaged packet");
        require(!changesConfiguration(packet), "another configuration in the middle");
        require(packet.dts() > lastDts, "times that go back");
        if (!begun) {
            boolean key = (packet.flags() & avcodec.AV_PKT_FLAG_KEY) != 0;
            require(key || !video, "no key frame at the start");
            begun = true;
        } else {
            lastStep = packet.dts() - lastDts;
        }
        lastDts = packet.dts();
        long duration = packet.duration() > 0 ? packet.duration() : lastStep;
        packet.duration(duration);
        packet.pts(packet.pts() - startTicks).dts(packet.dts() - startTicks);
        endTicks = Math.max(endTicks, packet.pts() + duration);
        sink.write(packet, base);
    }

    private static boolean changesConfiguration(AVPacket packet) {
        try (SizeTPointer size = new SizeTPointer(1)) {
            return avcodec.av_packet_get_side_data(packet, avcodec.AV_PKT_DATA_NEW_EXTRADATA, size)
                    != null;
        }
    }

    private static void require(boolean good, String found) {
        if (!good) {
            throw new CopyUnsuitableException(found);
        }
    }

    @Override
    public void finish() {
        require(begun, "no packets");
    }

    @Override
    public long endUs() {
        return MediaFile.toUs(endTicks, base);
    }

    @Override
    public boolean damaged() {
        return false;
    }

    @Override
    public void close() {
        base.close();
    }
}
