package touchline.packager.thumbnail;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.PictureView;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Picture;
import touchline.media.ffmpeg.PictureFormat;
import touchline.media.ffmpeg.PictureScaler;
import touchline.media.ffmpeg.VideoDecoder;

/** Decodes one key frame, with one thread, and scales it down. Stateless, any platform thread. */
final class CodecPictures implements PictureMaker {
    private static final int QUALITY = 80;

    /** More says no more of how much there is to see. */
    private static final int SAMPLED_ROWS = 64;

    @Override
    public Thumbnail make(AccessUnit keyFrame, int maxWidth) {
        List<Picture> pictures = new ArrayList<>(1);
        try (VideoDecoder decoder = VideoDecoder.open(keyFrame.track(), /* threads= */ 1)) {
            pictures.addAll(decoder.decode(keyFrame));
            pictures.addAll(decoder.drain());
            if (pictures.isEmpty()) {
                throw new MalformedMediaException("key frame without a picture");
            }
            return small(pictures.getFirst(), maxWidth);
        } finally {
            pictures.forEach(Picture::close);
        }
    }

    private static Thumbnail small(Picture picture, int maxWidth) {
        PictureFormat source = picture.format();
        ThumbnailSize size =
                ThumbnailSize.of(source.width(), source.height(), picture.sampleAspect(), maxWidth);
        PictureFormat target = new PictureFormat(size.width(), size.height(), Colour.JPEG);
        try (PictureScaler scaler = PictureScaler.open(source, target);
                Picture scaled = Picture.allocate(target)) {
            scaler.scale(picture.view(), scaled);
            byte[] jpeg = scaled.toJpeg(QUALITY);
            return new Thumbnail(MemorySegment.ofArray(jpeg), contrast(scaled));
        }
    }

    private static int contrast(Picture picture) {
        PictureView.Plane luma = picture.planes().getFirst();
        int width = picture.format().width();
        int height = picture.format().height();
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
