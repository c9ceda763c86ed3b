package touchline.media.ffmpeg;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;

/**
 * Encodes anew some pictures of a group: what a cut between key frames needs. Stateless; a platform
 * thread, since it takes as long as the encoder does.
 */
public final class PictureRecoder {
    private static final int MIN_BITRATE_BPS = 1_000_000;
    private static final int MAX_BITRATE_BPS = 100_000_000;

    /** Few pictures, each as good as it was: far more than the group had. */
    private static final int GENEROUS = 4;

    private PictureRecoder() {}

    /**
     * Which pictures, and how.
     *
     * @param fromPtsTicks first presentation time, in the units' timescale
     * @param toPtsTicks where they end, exclusive
     * @param parameterSetId as in {@link VideoSettings}
     * @param encoder which one
     */
    public record Wish(
            long fromPtsTicks, long toPtsTicks, int parameterSetId, H264Encoder encoder) {}

    /**
     * The pictures as they were encoded.
     *
     * @param track with the configuration of the new units
     * @param units the first one is a key frame; decode time = presentation time
     */
    public record Recoded(Track track, List<AccessUnit> units) {
        public Recoded {
            units = List.copyOf(units);
        }
    }

    /**
     * Decodes a group and encodes what of it is wished for, without B-frames.
     *
     * @param group in decode order, the first one a key frame
     * @param frameRate nominal
     * @throws MalformedMediaException when the units cannot be decoded, or hold no such picture
     * @throws FfmpegException when the encoder cannot be opened
     */
    public static Recoded recode(
            Track track, List<AccessUnit> group, FrameRate frameRate, Wish wish) {
        try (VideoDecoder decoder = VideoDecoder.open(track, /* threads= */ 1);
                Encoding encoding = new Encoding(bitrateBps(group), frameRate, wish)) {
            for (AccessUnit unit : group) {
                encoding.accept(decoder.decode(unit));
            }
            encoding.accept(decoder.drain());
            return encoding.finish();
        }
    }

    private static int bitrateBps(List<AccessUnit> group) {
        long bytes = 0;
        for (AccessUnit unit : group) {
            bytes += unit.payload().byteSize();
        }
        long us = Math.max(1, group.getLast().dtsUs() - group.getFirst().dtsUs());
        return Math.clamp(GENEROUS * bytes * 8_000_000 / us, MIN_BITRATE_BPS, MAX_BITRATE_BPS);
    }

    /** The encoder, opened with the first picture, which tells the format. */
    private static final class Encoding implements AutoCloseable {
        private final int bitrateBps;
        private final FrameRate frameRate;
        private final Wish wish;
        private final List<AccessUnit> units = new ArrayList<>();
        private @Nullable VideoEncoder encoder;

        Encoding(int bitrateBps, FrameRate frameRate, Wish wish) {
            this.bitrateBps = bitrateBps;
            this.frameRate = frameRate;
            this.wish = wish;
        }

        /** Takes ownership of the pictures. */
        void accept(List<Picture> pictures) {
            try {
                for (Picture picture : pictures) {
                    long pts = picture.ptsTicks();
                    if (pts >= wish.fromPtsTicks() && pts < wish.toPtsTicks()) {
                        units.addAll(encode(picture));
                    }
                }
            } finally {
                pictures.forEach(Picture::close);
            }
        }

        private List<AccessUnit> encode(Picture picture) {
            VideoEncoder opened = encoder;
            if (opened == null) {
                VideoSettings settings =
                        VideoSettings.live(picture.format(), frameRate, wish.encoder())
                                .withBitrate(bitrateBps)
                                .with(new VideoSettings.Gop(3600, /* bFrames= */ 0))
                                .withParameterSetId(wish.parameterSetId());
                opened = VideoEncoder.open(settings);
                encoder = opened;
            }
            return opened.encode(picture, /* forceKeyFrame= */ units.isEmpty());
        }

        Recoded finish() {
            VideoEncoder opened = encoder;
            if (opened == null) {
                throw new MalformedMediaException(
                        "no picture from %d to %d"
                                .formatted(wish.fromPtsTicks(), wish.toPtsTicks()));
            }
            units.addAll(opened.finish());
            return new Recoded(opened.track(), units);
        }

        @Override
        public void close() {
            if (encoder != null) {
                encoder.close();
            }
        }
    }

    /** Whether an encoder can number its parameter sets as wished. */
    public static boolean canNumberParameterSets(H264Encoder encoder) {
        return encoder == H264Encoder.X264;
    }
}
