package touchline.moderation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;

/**
 * An H.264 stream of frames that a test paints. Immutable.
 *
 * @param gopFrames frames from one key frame to the next
 */
public record CodedStream(int width, int height, int frameRate, int gopFrames, int bFrames) {
    /** 320x180, 20 fps, a key frame every 2 s. */
    public static CodedStream small() {
        return new CodedStream(320, 180, 20, 40, 0);
    }

    /** Paints a frame, which holds the content of the frame before. */
    @FunctionalInterface
    public interface Painter {
        void paint(VideoFrame frame, int index);
    }

    public CodedStream gopFrames(int frames) {
        return new CodedStream(width, height, frameRate, frames, bFrames);
    }

    public CodedStream bFrames(int frames) {
        return new CodedStream(width, height, frameRate, gopFrames, frames);
    }

    public CodedStream size(int newWidth, int newHeight) {
        return new CodedStream(newWidth, newHeight, frameRate, gopFrames, bFrames);
    }

    /** Access units in decode order, the first at media time {@code startUs}. */
    public List<AccessUnit> units(int videoFrames, long startUs, Painter painter) {
        H264Encoder encoder =
                Ffmpeg.encoders().canUse(H264Encoder.X264)
                        ? H264Encoder.X264
                        : H264Encoder.OPENH264;
        FrameFormat format = new FrameFormat(width, height, Colour.BT709);
        FrameRate rate = new FrameRate(frameRate, 1);
        VideoSettings settings =
                VideoSettings.live(format, rate, encoder)
                        .with(new VideoSettings.Gop(gopFrames, bFrames))
                        .with(
                                new VideoSettings.Tuning(
                                        VideoSettings.Speed.ULTRAFAST, 1, bFrames == 0));
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder open = VideoEncoder.open(settings);
                VideoFrame frame = Painted.grey(width, height)) {
            for (int i = 0; i < videoFrames; i++) {
                painter.paint(frame, i);
                frame.ptsTicks(rate.ticksOf(i));
                units.addAll(open.encode(frame, /* forceKeyFrame= */ false));
            }
            units.addAll(open.finish());
        }
        long startTicks = startUs * 9 / 100;
        return units.stream()
                .map(
                        unit ->
                                unit.at(
                                        unit.track(),
                                        unit.dtsTicks() + startTicks,
                                        unit.compositionTimeOffsetTicks()))
                .toList();
    }

    /** A timeline that starts with the first of the units. */
    public static Timeline timeline(int sequence, List<AccessUnit> units) {
        AccessUnit first = units.getFirst();
        return new Timeline(
                sequence,
                List.of(first.track()),
                first.dtsUs(),
                Instant.parse("2026-11-20T12:00:00Z"));
    }
}
