package touchline.packager.clip;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;

/** Encoded frames that carry their number as black and white bars. */
final class NumberedFrames {
    private static final int BITS = 12;
    private static final int CELL = 24;
    private static final int HEIGHT = 64;

    private NumberedFrames() {}

    static H264Encoder encoder() {
        return Ffmpeg.encoders().best().orElseThrow();
    }

    /** 30 frames a second. */
    static List<AccessUnit> encode(int count, VideoSettings.Gop gop) {
        return encode(count, gop, HEIGHT);
    }

    /** The same of another height. */
    static List<AccessUnit> encode(int count, VideoSettings.Gop gop, int height) {
        FrameFormat format = new FrameFormat(BITS * CELL, height, Colour.BT709);
        VideoSettings settings =
                VideoSettings.live(format, FrameRate.of(30), encoder())
                        .with(gop)
                        .with(
                                new VideoSettings.Tuning(
                                        VideoSettings.Speed.ULTRAFAST, 1, gop.bFrames() == 0));
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder encoder = VideoEncoder.open(settings);
                VideoFrame frame = VideoFrame.allocate(format)) {
            for (int i = 0; i < count; i++) {
                draw(frame, i);
                frame.ptsTicks(FrameRate.of(30).ticksOf(i));
                units.addAll(encoder.encode(frame, false));
            }
            units.addAll(encoder.finish());
            return units;
        }
    }

    private static void draw(VideoFrame frame, int number) {
        for (FrameView.Plane plane : frame.planes()) {
            plane.samples().fill((byte) 128);
        }
        FrameView.Plane luma = frame.planes().getFirst();
        MemorySegment samples = luma.samples();
        for (int y = 0; y < frame.format().height(); y++) {
            for (int bit = 0; bit < BITS; bit++) {
                byte value = (byte) ((number >> bit & 1) == 1 ? 220 : 30);
                long at = (long) y * luma.strideBytes() + (long) bit * CELL;
                samples.asSlice(at, CELL).fill(value);
            }
        }
    }

    /** Of a frame of any size. */
    static int number(VideoFrame frame) {
        FrameView.Plane luma = frame.planes().getFirst();
        int cell = frame.format().width() / BITS;
        int number = 0;
        for (int bit = 0; bit < BITS; bit++) {
            long at =
                    (frame.format().height() / 2L) * luma.strideBytes()
                            + (long) bit * cell
                            + cell / 2;
            int value = luma.samples().get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            number |= value > 128 ? 1 << bit : 0;
        }
        return number;
    }
}
