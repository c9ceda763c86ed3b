package touchline.benchmarks.latency;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import touchline.benchmarks.load.FlvFile;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FrameView;
import touchline.media.ffmpeg.AudioEncoder;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;

/**
 * 720p30 whose frames carry their number: sixteen cells along the top, bit 0 leftmost, white for 1,
 * each a twentieth of the width. Encoded without delay at 2.5 Mbit/s with a key frame every two
 * seconds, and AAC beside it; in memory as the tags of an FLV file.
 */
final class NumberedFrames {
    static final int FRAMES_PER_SECOND = 30;

    /**
     * Whole frames, GOPs and AAC frames fit into it (960, 16 and 1500), so that its repetition has
     * no seam in time. Much longer than any latency, so that a number is never ambiguous.
     */
    static final int LOOP_SECONDS = 32;

    static final int CELLS = 16;

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 720;

    /** 32 pixels where the frame is 640 wide. */
    private static final int CELL = WIDTH / 20;

    private static final int SAMPLE_RATE_HZ = 48_000;
    private static final int SAMPLES_PER_FRAME = 1024;
    private static final byte WHITE = (byte) 235;
    private static final byte BLACK = 16;
    private static final byte GREY = (byte) 128;

    /** Rows of film grain, laid over the frame at another place each time. */
    private static final int GRAIN_BYTES = 1 << 20;

    private NumberedFrames() {}

    static FlvFile encode() {
        Ffmpeg.load();
        List<FlvFile.Tag> tags = new ArrayList<>();
        addFrames(tags);
        addAudio(tags);
        return new FlvFile(tags);
    }

    private static void addFrames(List<FlvFile.Tag> tags) {
        FrameFormat format = new FrameFormat(WIDTH, HEIGHT, Colour.BT709);
        FrameRate rate = FrameRate.of(FRAMES_PER_SECOND);
        byte[] grain = new byte[GRAIN_BYTES];
        Random random = new Random(1);
        random.nextBytes(grain);
        try (VideoEncoder encoder =
                        VideoEncoder.open(VideoSettings.live(format, rate, H264Encoder.X264));
                VideoFrame frame = VideoFrame.allocate(format)) {
            if (encoder.track().codec() instanceof CodecConfig.Avc avc) {
                tags.add(new FlvFile.Tag(9, 0, avcTag(true, 0, avc.config().bytes())));
            }
            frame.planes().get(1).samples().fill(GREY);
            frame.planes().get(2).samples().fill(GREY);
            for (int n = 0; n < LOOP_SECONDS * FRAMES_PER_SECOND; n++) {
                draw(frame.planes().getFirst(), n, grain, random.nextInt(GRAIN_BYTES / 2));
                frame.ptsTicks(rate.ticksOf(n));
                for (AccessUnit unit : encoder.encode(frame, /* forceKeyFrame= */ false)) {
                    int timestampMs = (int) Math.round(unit.dtsUs() / 1000.0);
                    tags.add(
                            new FlvFile.Tag(9, timestampMs, avcTag(unit.idr(), 1, unit.payload())));
                }
            }
        }
    }

    /** Cells above; below bars that wander, under grain, so that there is something to encode. */
    private static void draw(FrameView.Plane luma, int number, byte[] grain, int grainStart) {
        byte[] row = new byte[WIDTH];
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                if (y < CELL) {
                    int cell = x / CELL;
                    row[x] = cell < CELLS && (number >> cell & 1) == 1 ? WHITE : BLACK;
                } else {
                    int bars = 64 + ((x + 4 * number + y / 2) & 127);
                    row[x] =
                            (byte)
                                    (bars
                                            + (grain[
                                                            grainStart
                                                                    + (x * 7 + y * 643)
                                                                            % (GRAIN_BYTES / 2)]
                                                    >> 4));
                }
            }
            MemorySegment.copy(
                    row,
                    0,
                    luma.samples(),
                    ValueLayout.JAVA_BYTE,
                    (long) y * luma.strideBytes(),
                    WIDTH);
        }
    }

    private static void addAudio(List<FlvFile.Tag> tags) {
        int frames = LOOP_SECONDS * SAMPLE_RATE_HZ / SAMPLES_PER_FRAME;
        AudioSettings settings = new AudioSettings(SAMPLE_RATE_HZ, 2, 128_000);
        try (AudioEncoder encoder = AudioEncoder.open(settings)) {
            if (encoder.track().codec() instanceof CodecConfig.Aac aac) {
                tags.add(new FlvFile.Tag(8, 0, aacTag(0, aac.config().bytes())));
            }
            List<AccessUnit> units = new ArrayList<>();
            for (int i = 0; units.size() < frames; i++) {
                units.addAll(encoder.encode(tone((long) i * SAMPLES_PER_FRAME)));
            }
            for (int i = 0; i < frames; i++) {
                int timestampMs = (int) (i * 1000L * SAMPLES_PER_FRAME / SAMPLE_RATE_HZ);
                tags.add(new FlvFile.Tag(8, timestampMs, aacTag(1, units.get(i).payload())));
            }
        }
    }

    /** 440 Hz on both channels, quiet. */
    private static Pcm tone(long startFrame) {
        float[] samples = new float[2 * SAMPLES_PER_FRAME];
        for (int i = 0; i < SAMPLES_PER_FRAME; i++) {
            double angle = 2 * Math.PI * 440 * (startFrame + i) / SAMPLE_RATE_HZ;
            samples[2 * i] = (float) (0.1 * Math.sin(angle));
            samples[2 * i + 1] = samples[2 * i];
        }
        return Pcm.of(SAMPLE_RATE_HZ, 2, startFrame, samples);
    }

    /** AVCVIDEOPACKET behind its tag header (Adobe Flash Video File Format 10.1, E.4.3). */
    private static ByteBuffer avcTag(boolean keyFrame, int packetType, MemorySegment payload) {
        return tag(
                new byte[] {(byte) (keyFrame ? 0x17 : 0x27), (byte) packetType, 0, 0, 0}, payload);
    }

    /** AACAUDIODATA behind its tag header (the same document, E.4.2). */
    private static ByteBuffer aacTag(int packetType, MemorySegment payload) {
        return tag(new byte[] {(byte) 0xAF, (byte) packetType}, payload);
    }

    private static ByteBuffer tag(byte[] header, MemorySegment payload) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(header);
        bytes.writeBytes(payload.toArray(ValueLayout.JAVA_BYTE));
        return ByteBuffer.wrap(bytes.toByteArray());
    }
}
