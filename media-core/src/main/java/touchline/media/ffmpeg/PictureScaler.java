package touchline.media.ffmpeg;

import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.PictureView;

/** Changes size and colours of pictures in YUV 4:2:0. One owner thread. */
public final class PictureScaler implements AutoCloseable {
    private final PictureFormat source;
    private final PictureFormat target;
    private final SampleConverter converter;

    private PictureScaler(PictureFormat source, PictureFormat target, SampleConverter converter) {
        this.source = source;
        this.target = target;
        this.converter = converter;
    }

    /** Where both formats are equal, scaling copies. */
    public static PictureScaler open(PictureFormat source, PictureFormat target) {
        SampleConverter converter =
                SampleConverter.open(
                        source, new SampleConverter.Target(target, avutil.AV_PIX_FMT_YUV420P));
        return new PictureScaler(source, target, converter);
    }

    /**
     * Fills {@code picture}, its time included.
     *
     * @param view of the source's size, lent for this call
     * @param picture of the target's format, borrowed
     */
    public void scale(PictureView view, Picture picture) {
        converter.checkSource(source, view);
        if (!picture.format().equals(target)) {
            throw new IllegalArgumentException(
                    "picture: " + picture.format() + " (expected: " + target + ")");
        }
        AVFrame frame = picture.frame();
        converter.target(
                List.of(frame.data(0), frame.data(1), frame.data(2)),
                new int[] {frame.linesize(0), frame.linesize(1), frame.linesize(2)});
        converter.convert(view);
        picture.ptsTicks(touchline.media.Timescale.VIDEO.fromUs(view.ptsUs()));
    }

    @Override
    public void close() {
        converter.close();
    }
}
