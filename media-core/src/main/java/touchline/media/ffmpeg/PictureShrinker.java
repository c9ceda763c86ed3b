package touchline.media.ffmpeg;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;

/**
 * Encodes a track of pictures anew, smaller: decodes, scales, encodes to H.264. Presentation times
 * stay what they are. One owner: a platform thread, since it takes as long as the encoder does.
 */
public final class PictureShrinker implements AutoCloseable {
    private final Settings settings;
    private final VideoDecoder decoder;
    private @Nullable Stage stage;

    /** Times of two tracks meet: what would not rise is left out. */
    private long lastPtsTicks = Long.MIN_VALUE;

    /**
     * @param maxShorterSide of the new pictures, in pixels; larger ones are scaled to it
     * @param bitrateBps of the new ones
     * @param frameRate nominal; the pictures' own times count
     * @param threads of decoder and encoder each, 1 to 16
     */
    public record Settings(
            int maxShorterSide,
            int bitrateBps,
            FrameRate frameRate,
            H264Encoder encoder,
            int threads) {}

    /** What follows from the first picture's format. */
    private record Stage(
            PictureFormat source, PictureScaler scaler, Picture picture, VideoEncoder encoder)
            implements AutoCloseable {
        @Override
        public void close() {
            encoder.close();
            picture.close();
            scaler.close();
        }
    }

    private PictureShrinker(Settings settings, VideoDecoder decoder) {
        this.settings = settings;
        this.decoder = decoder;
    }

    /**
     * The caller closes it.
     *
     * @throws MalformedMediaException the track's configuration is wrong
     */
    public static PictureShrinker open(Track track, Settings settings) {
        return new PictureShrinker(settings, VideoDecoder.open(track, settings.threads()));
    }

    /**
     * Takes the next unit in decode order.
     *
     * @return none to several new ones, in decode order; the first of all is a key frame
     * @throws MalformedMediaException its bytes are wrong, or its pictures have another size than
     *     those before: that is another track's
     * @throws FfmpegException when the encoder cannot be opened
     */
    public List<AccessUnit> shrink(AccessUnit unit) {
        return encoded(decoder.decode(unit));
    }

    /** What is still inside. */
    public List<AccessUnit> finish() {
        List<AccessUnit> units = new ArrayList<>(encoded(decoder.drain()));
        if (stage != null) {
            units.addAll(stage.encoder().finish());
        }
        return units;
    }

    private List<AccessUnit> encoded(List<Picture> pictures) {
        List<AccessUnit> units = new ArrayList<>(pictures.size());
        try {
            for (Picture picture : pictures) {
                if (picture.ptsTicks() > lastPtsTicks) {
                    lastPtsTicks = picture.ptsTicks();
                    units.addAll(encoded(picture));
                }
            }
            return units;
        } finally {
            pictures.forEach(Picture::close);
        }
    }

    private List<AccessUnit> encoded(Picture picture) {
        Stage open = stage;
        if (open == null) {
            open = open(picture.format());
            stage = open;
        }
        if (!picture.format().equals(open.source())) {
            throw new MalformedMediaException(
                    "picture: " + picture.format() + " (expected: " + open.source() + ")");
        }
        open.scaler().scale(picture.view(), open.picture());
        open.picture().ptsTicks(picture.ptsTicks());
        return open.encoder().encode(open.picture(), /* forceKeyFrame= */ false);
    }

    private Stage open(PictureFormat source) {
        PictureFormat target = target(source);
        VideoSettings video =
                VideoSettings.live(target, settings.frameRate(), settings.encoder())
                        .withBitrate(settings.bitrateBps())
                        .with(
                                new VideoSettings.Tuning(
                                        VideoSettings.Speed.VERYFAST,
                                        settings.threads(),
                                        /* lowDelay= */ false));
        VideoEncoder encoder = VideoEncoder.open(video);
        try {
            return new Stage(
                    source, PictureScaler.open(source, target), Picture.allocate(target), encoder);
        } catch (RuntimeException e) {
            encoder.close();
            throw e;
        }
    }

    /** The same shape with even sides, none larger than it was. */
    private PictureFormat target(PictureFormat source) {
        int shorter = Math.min(source.width(), source.height());
        double factor = Math.min(1, (double) settings.maxShorterSide() / shorter);
        return new PictureFormat(
                even(source.width() * factor), even(source.height() * factor), source.colour());
    }

    private static int even(double side) {
        return Math.max(2, (int) Math.round(side / 2) * 2);
    }

    @Override
    public void close() {
        if (stage != null) {
            stage.close();
            stage = null;
        }
        decoder.close();
    }
}
