package touchline.media.transcode;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.FrameScaler;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;

/**
 * Re-encodes a video track at a smaller size: decodes, scales, encodes to H.264. Presentation times
 * stay unchanged. One owner, a platform thread, which blocks as long as the encoder.
 */
public final class FrameDownscaler implements AutoCloseable {
    private final Settings settings;
    private final VideoDecoder decoder;
    private @Nullable Stage stage;

    /**
     * Time of the last frame. Frames at or before it are dropped, e.g. at the boundary of two
     * tracks.
     */
    private long lastPtsTicks = Long.MIN_VALUE;

    /**
     * @param maxShorterSide of the output, in pixels; larger frames are scaled to it
     * @param bitrateBps of the output
     * @param frameRate nominal; the frames' times are authoritative
     * @param threads of decoder and encoder each, 1 to 16
     */
    public record Settings(
            int maxShorterSide,
            int bitrateBps,
            FrameRate frameRate,
            H264Encoder encoder,
            int threads) {}

    /** State derived from the first frame's format. */
    private record Stage(
            FrameFormat source, FrameScaler scaler, VideoFrame frame, VideoEncoder encoder)
            implements AutoCloseable {
        @Override
        public void close() {
            encoder.close();
            frame.close();
            scaler.close();
        }
    }

    private FrameDownscaler(Settings settings, VideoDecoder decoder) {
        this.settings = settings;
        this.decoder = decoder;
    }

    /**
     * The caller closes it.
     *
     * @throws MalformedMediaException the track's configuration is invalid
     */
    public static FrameDownscaler open(Track track, Settings settings) {
        return new FrameDownscaler(settings, VideoDecoder.open(track, settings.threads()));
    }

    /**
     * Processes the next unit in decode order.
     *
     * @return zero or more re-encoded units, in decode order; the first one is a key frame
     * @throws MalformedMediaException its bytes are invalid, or the frame size differs from earlier
     *     frames: another size is another track
     * @throws FfmpegException if the encoder cannot be opened
     */
    public List<AccessUnit> shrink(AccessUnit unit) {
        return encoded(decoder.decode(unit));
    }

    /** Returns the remaining units. */
    public List<AccessUnit> finish() {
        List<AccessUnit> units = new ArrayList<>(encoded(decoder.drain()));
        if (stage != null) {
            units.addAll(stage.encoder().finish());
        }
        return units;
    }

    private List<AccessUnit> encoded(List<VideoFrame> frames) {
        List<AccessUnit> units = new ArrayList<>(frames.size());
        try {
            for (VideoFrame frame : frames) {
                if (frame.ptsTicks() > lastPtsTicks) {
                    lastPtsTicks = frame.ptsTicks();
                    units.addAll(encoded(frame));
                }
            }
            return units;
        } finally {
            frames.forEach(VideoFrame::close);
        }
    }

    private List<AccessUnit> encoded(VideoFrame frame) {
        Stage open = stage;
        if (open == null) {
            open = open(frame.format());
            stage = open;
        }
        if (!frame.format().equals(open.source())) {
            throw new MalformedMediaException(
                    "frame: " + frame.format() + " (expected: " + open.source() + ")");
        }
        open.scaler().scale(frame.view(), open.frame());
        open.frame().ptsTicks(frame.ptsTicks());
        return open.encoder().encode(open.frame(), /* forceKeyFrame= */ false);
    }

    private Stage open(FrameFormat source) {
        FrameFormat target = target(source);
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
                    source, FrameScaler.open(source, target), VideoFrame.allocate(target), encoder);
        } catch (RuntimeException e) {
            encoder.close();
            throw e;
        }
    }

    /** Returns the scaled size: same aspect ratio, even sides, never larger than the source. */
    private FrameFormat target(FrameFormat source) {
        int shorter = Math.min(source.width(), source.height());
        double factor = Math.min(1, (double) settings.maxShorterSide() / shorter);
        return new FrameFormat(
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
