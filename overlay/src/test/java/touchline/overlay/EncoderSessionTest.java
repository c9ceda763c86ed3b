package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.GpuUse;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings.Speed;

final class EncoderSessionTest {
    private static final Canvas CANVAS = new Canvas(320, 240, Colour.BT709);

    private static CompositorSettings settings(H264Encoder encoder, int threads) {
        return new CompositorSettings(
                new StreamId("str_test"),
                new SessionId("ses_test"),
                /* keyFrameUs= */ 400_000,
                new CompositorSettings.Encoding(
                        encoder, /* bitrateBps= */ 0, Speed.ULTRAFAST, threads),
                GpuUse.NONE);
    }

    private static EncoderSession open(H264Encoder encoder, Canvas canvas, int threads) {
        return EncoderSession.open(
                settings(encoder, threads),
                canvas,
                FrameRate.of(25),
                /* rateBps= */ 500_000,
                Speed.ULTRAFAST,
                /* onGpu= */ false);
    }

    /** Encodes frames of 40 ms, and returns the times of key frames in milliseconds. */
    private static List<Long> keysMs(EncoderSession session, int fromFrame, int toFrame) {
        List<Long> keys = new ArrayList<>();
        try (VideoFrame frame = VideoFrame.allocate(session.canvas().format())) {
            frame.planes().forEach(plane -> plane.samples().fill((byte) 128));
            for (int i = fromFrame; i < toFrame; i++) {
                frame.ptsTicks(3_600L * i);
                session.encode(frame).stream()
                        .filter(AccessUnit::isKeyFrame)
                        .forEach(unit -> keys.add(unit.ptsUs() / 1_000));
            }
        }
        return keys;
    }

    /** A GPU limits its number of encoders. */
    @ParameterizedTest
    @EnumSource
    void open_encoderThatTheHostLacks_continuesWithAnother(H264Encoder wanted) {
        try (EncoderSession session = open(wanted, CANVAS, 1)) {
            assertEquals(List.of(0L), keysMs(session, 0, 3));
        }
    }

    @Test
    void encode_keyFrames_comeAtTheirInterval_onRequestAndAfterAGap() {
        try (EncoderSession session = open(TestMedia.encoder(), CANVAS, 1)) {
            assertEquals(List.of(0L, 400L), keysMs(session, 0, 15));

            session.keyFrameNext();

            assertEquals(List.of(600L), keysMs(session, 15, 18));
            assertFalse(session.accepts(680_000));
            assertTrue(session.accepts(680_001));
            assertEquals(List.of(2_400L), keysMs(session, 60, 62));
        }
    }

    @Test
    void switchTo_otherSpeed_beginsWithAKeyFrame_theRateStays() {
        try (EncoderSession session = open(TestMedia.encoder(), CANVAS, 1)) {
            assertEquals(List.of(0L), keysMs(session, 0, 3));
            session.bitrate(300_000);
            assertFalse(session.isSlowerThan(Speed.ULTRAFAST));

            session.switchTo(Speed.SUPERFAST);

            assertTrue(session.isSlowerThan(Speed.ULTRAFAST));
            assertEquals(List.of(120L), keysMs(session, 3, 6));
            session.switchTo(Speed.SUPERFAST);
            assertEquals(List.of(), keysMs(session, 6, 9), "no change, no key frame");
        }
    }

    @Test
    void fits_otherSizeOrMemory_isFalse() {
        try (EncoderSession session = open(TestMedia.encoder(), CANVAS, 1)) {
            assertTrue(session.fits(new Canvas(320, 240, Colour.BT709), /* gpuFrames= */ false));
            assertFalse(session.fits(CANVAS, /* gpuFrames= */ true));
            assertFalse(session.fits(new Canvas(640, 240, Colour.BT709), /* gpuFrames= */ false));
        }
    }

    @Test
    void open_largeFramesAtAHighRate_areEncoded() {
        try (EncoderSession session =
                EncoderSession.open(
                        settings(TestMedia.encoder(), /* threads= */ 0),
                        new Canvas(1_920, 1_088, Colour.BT709),
                        FrameRate.of(120),
                        /* rateBps= */ 500_000,
                        Speed.ULTRAFAST,
                        /* onGpu= */ false)) {
            assertEquals(List.of(0L), keysMs(session, 0, 2));
        }
    }

    @Test
    void settings_outOfRange_nameTheField() {
        var refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> settings(TestMedia.encoder(), /* threads= */ 17));

        assertEquals("bitrateBps: 0, threads: 17 (>= 0, 0..16)", refused.getMessage());
    }
}
