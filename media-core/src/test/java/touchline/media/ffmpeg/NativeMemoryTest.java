package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;

/**
 * Opens and closes everything many times. A leak of a single frame (115 KiB) a round would take 17
 * MiB.
 */
final class NativeMemoryTest {
    private static final int ROUNDS = 150;
    private static final long TOLERANCE_BYTES = 8L << 20;
    private static final FrameFormat FORMAT = new FrameFormat(320, 240, Colour.BT709);
    private static final FrameFormat SMALL = new FrameFormat(160, 120, Colour.BT709);

    @Test
    void rounds_everythingClosed_leaveNoMemoryBehind() {
        for (int i = 0; i < ROUNDS / 3; i++) {
            round();
        }
        System.gc();
        long before = Pointer.physicalBytes();
        for (int i = 0; i < ROUNDS; i++) {
            round();
        }
        System.gc();
        long grown = Pointer.physicalBytes() - before;

        assertTrue(grown < TOLERANCE_BYTES, "grown by " + (grown >> 10) + " KiB");
    }

    private static void round() {
        VideoSettings settings =
                VideoSettings.live(FORMAT, FrameRate.of(25), TestMedia.encoder())
                        .with(new VideoSettings.Tuning(VideoSettings.Speed.ULTRAFAST, 1, true));
        List<AccessUnit> units = TestMedia.video(settings, 2);
        try (VideoDecoder decoder = VideoDecoder.open(units.getFirst().track(), 1);
                FrameScaler scaler = FrameScaler.open(FORMAT, SMALL);
                RgbScaler rgb = RgbScaler.open(FORMAT, 64, 48, RgbScaler.Layout.PLANAR);
                VideoFrame small = VideoFrame.allocate(SMALL)) {
            byte[] pixels = new byte[rgb.sizeBytes()];
            for (AccessUnit unit : units) {
                for (VideoFrame frame : decoder.decode(unit)) {
                    scaler.scale(frame.view(), small);
                    rgb.scale(frame.view(), MemorySegment.ofArray(pixels));
                    frame.close();
                }
            }
            decoder.drain().forEach(VideoFrame::close);
            assertTrue(small.toJpeg(50).length > 0);
        }
        AudioSettings audioPart = new AudioSettings(48_000, 2, 64_000);
        List<AccessUnit> frames =
                TestMedia.audio(audioPart, TestMedia.tones(48_000, 2_048, 440, 440));
        try (AudioDecoder decoder = AudioDecoder.open(frames.getFirst().track())) {
            frames.forEach(decoder::decode);
            decoder.drain();
        }
    }
}
