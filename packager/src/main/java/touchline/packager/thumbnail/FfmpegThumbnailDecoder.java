package touchline.packager.thumbnail;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.SessionId;
import touchline.media.codec.MalformedMediaException;
import touchline.media.decoding.GopDecoder;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameScaler;
import touchline.media.ffmpeg.VideoFrame;

/** Decodes one key frame, and scales it down. Stateless, any platform thread. */
final class FfmpegThumbnailDecoder implements ThumbnailDecoder {
    private final GopDecoders decoders;

    FfmpegThumbnailDecoder(GopDecoders decoders) {
        this.decoders = decoders;
    }

    private static final int QUALITY = 80;

    /** More rows do not improve the contrast estimate. */
    private static final int SAMPLED_ROWS = 64;

    @Override
    public Made make(SessionId session, AccessUnit keyFrame, int maxWidth) {
        GopDecoder decoder = decoders.open(keyFrame.track(), session.value());
        try (decoder) {
            VideoFrame frame =
                    decoder.keyFrame(keyFrame)
                            .orElseThrow(
                                    () -> new MalformedMediaException("key frame without a frame"));
            try (frame) {
                return new Made(small(frame, maxWidth), decoder.remoteCpuNs());
            }
        }
    }

    private static Thumbnail small(VideoFrame frame, int maxWidth) {
        FrameFormat source = frame.format();
        ThumbnailSize size =
                ThumbnailSize.of(source.width(), source.height(), frame.sampleAspect(), maxWidth);
        FrameFormat target = new FrameFormat(size.width(), size.height(), Colour.JPEG);
        try (FrameScaler scaler = FrameScaler.open(source, target);
                VideoFrame scaled = VideoFrame.allocate(target)) {
            scaler.scale(frame.view(), scaled);
            byte[] jpeg = scaled.toJpeg(QUALITY);
            return new Thumbnail(MemorySegment.ofArray(jpeg), contrast(scaled));
        }
    }

    private static int contrast(VideoFrame frame) {
        FrameView.Plane luma = frame.planes().getFirst();
        int width = frame.format().width();
        int height = frame.format().height();
        long count = 0;
        long sum = 0;
        long squares = 0;
        for (int y = 0; y < height; y += Math.ceilDiv(height, SAMPLED_ROWS)) {
            long row = (long) y * luma.strideBytes();
            for (int x = 0; x < width; x++) {
                int value = luma.samples().get(ValueLayout.JAVA_BYTE, row + x) & 0xFF;
                sum += value;
                squares += (long) value * value;
            }
            count += width;
        }
        double mean = (double) sum / count;
        return (int) Math.round(Math.sqrt(Math.max(0, (double) squares / count - mean * mean)));
    }
}
