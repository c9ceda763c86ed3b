package touchline.overlay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.Track;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.testing.SyntheticStream;

/** Encodes a publisher's media: frames with known content, and silence. */
final class Studio {
    /** 25 frames per second. */
    static final int FRAME_MS = 40;

    private Studio() {}

    /** A software encoder, with the same result on every machine. */
    static H264Encoder encoder() {
        EncoderCapabilities encoders = Ffmpeg.encoders();
        return encoders.canUse(H264Encoder.X264) ? H264Encoder.X264 : H264Encoder.OPENH264;
    }

    static VideoSettings settings(FrameFormat format) {
        return VideoSettings.live(format, FrameRate.of(25), encoder())
                .withBitrate(8_000_000)
                .with(new VideoSettings.Gop(25, 0));
    }

    /** Frames from an index on, 40 ms each. */
    static List<AccessUnit> frames(VideoSettings settings, int from, int count) {
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder encoder = VideoEncoder.open(settings);
                VideoFrame videoFrame = VideoFrame.allocate(settings.format())) {
            for (int i = from; i < from + count; i++) {
                paint(videoFrame, i);
                videoFrame.ptsTicks(i * 90L * FRAME_MS);
                units.addAll(encoder.encode(videoFrame, /* forceKeyFrame= */ false));
            }
            units.addAll(encoder.finish());
        }
        return units;
    }

    /** The same units interleaved with silence, by decode time. */
    static List<AccessUnit> withAudio(List<AccessUnit> frames) {
        List<AccessUnit> units = new ArrayList<>(frames);
        long endUs = frames.getLast().dtsUs() + FRAME_MS * 1_000;
        MemorySegment silence =
                SyntheticStream.standard().withoutVideo().units().getFirst().payload();
        for (long frame = firstFrame(frames.getFirst().dtsUs());
                frame * 1024 * 1_000_000 / 48_000 < endUs;
                frame++) {
            units.add(new AccessUnit(SyntheticStream.AUDIO_TRACK, frame * 1024, 0, true, silence));
        }
        units.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        return units;
    }

    static List<Track> tracks(List<AccessUnit> units) {
        return units.stream()
                .map(AccessUnit::track)
                .distinct()
                .sorted(Comparator.comparingInt(Track::id))
                .toList();
    }

    /** Slow waves, which coding preserves, and a bar that shows the index. */
    static void paint(VideoFrame videoFrame, int index) {
        FrameFormat format = videoFrame.format();
        fill(
                videoFrame.planes().get(0),
                format.width(),
                format.height(),
                (x, y) -> (int) (120 + 60 * Math.sin((x + 2 * y + 3 * index) / 40.0)));
        fill(
                videoFrame.planes().get(1),
                format.chromaWidth(),
                format.chromaHeight(),
                (x, y) -> 110 + 20 * x / format.chromaWidth());
        fill(
                videoFrame.planes().get(2),
                format.chromaWidth(),
                format.chromaHeight(),
                (x, y) -> 150 - 20 * y / format.chromaHeight());
    }

    private static long firstFrame(long dtsUs) {
        return Math.ceilDiv(dtsUs * 48_000, 1024L * 1_000_000);
    }

    private static void fill(FrameView.Plane plane, int width, int height, Sample sample) {
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                plane.samples()
                        .set(
                                ValueLayout.JAVA_BYTE,
                                (long) y * plane.strideBytes() + x,
                                (byte) sample.at(x, y));
            }
        }
    }

    private interface Sample {
        int at(int x, int y);
    }
}
