package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.media.AccessUnit;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.testing.SyntheticStream;

final class VideoCodecTest {
    private static final FrameFormat FORMAT = new FrameFormat(320, 240, Colour.BT709);
    private static final VideoSettings LIVE =
            VideoSettings.live(FORMAT, FrameRate.of(25), TestMedia.encoder());

    @Test
    void roundTrip_lowDelay_keepsFramesAndTimes() {
        List<AccessUnit> units = TestMedia.video(LIVE, 30);

        assertEquals(30, units.size());
        assertTrue(units.stream().allMatch(unit -> unit.compositionTimeOffsetTicks() == 0));
        assertDecodesTo(units, 30, 34.0);
    }

    @Test
    void roundTrip_bFrames_ordersFramesAgain() {
        if (TestMedia.encoder() == H264Encoder.OPENH264) {
            System.out.println("skipped: the natives under the LGPL encode no B-frames");
            Assumptions.abort("no encoder with B-frames");
        }
        VideoSettings settings =
                LIVE.with(new VideoSettings.Gop(25, 2))
                        .with(new VideoSettings.Tuning(VideoSettings.Speed.VERYFAST, 1, false));

        List<AccessUnit> units = TestMedia.video(settings, 60);

        assertEquals(60, units.size());
        assertTrue(
                units.stream().anyMatch(unit -> unit.compositionTimeOffsetTicks() > 2 * 3600),
                "some frame is shown later than it is decoded");
        long last = Long.MIN_VALUE;
        for (AccessUnit unit : units) {
            assertTrue(unit.dtsTicks() > last, "decode times rise");
            assertTrue(unit.compositionTimeOffsetTicks() >= 0);
            last = unit.dtsTicks();
        }
        assertDecodesTo(units, 60, 34.0);
    }

    @Test
    void encode_regularGop_startsIdrAtEachDistance() {
        List<AccessUnit> units = TestMedia.video(LIVE.with(new VideoSettings.Gop(10, 0)), 35);

        assertEquals(List.of(0, 10, 20, 30), idrIndexes(units));
    }

    @Test
    void encode_forcedKeyFrame_isIdr() {
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder encoder = VideoEncoder.open(LIVE);
                VideoFrame frame = VideoFrame.allocate(FORMAT)) {
            for (int i = 0; i < 12; i++) {
                TestFrames.draw(frame, i);
                frame.ptsTicks(FrameRate.of(25).ticksOf(i));
                units.addAll(encoder.encode(frame, /* forceKeyFrame= */ i == 7));
            }
        }

        assertEquals(List.of(0, 7), idrIndexes(units));
    }

    @Test
    void encode_payload_isLengthPrefixedToItsEnd() {
        for (AccessUnit unit : TestMedia.video(LIVE, 5)) {
            byte[] bytes = unit.payload().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
            int at = 0;
            while (at < bytes.length) {
                int length = java.nio.ByteBuffer.wrap(bytes, at, 4).getInt();
                int type = bytes[at + 4] & 0x1F;
                assertTrue(type == 1 || type == 5 || type == 6, "NAL unit type " + type);
                at += 4 + length;
            }
            assertEquals(bytes.length, at);
        }
    }

    @Test
    void encode_timeNotLater_isRefused() {
        try (VideoEncoder encoder = VideoEncoder.open(LIVE);
                VideoFrame frame = VideoFrame.allocate(FORMAT)) {
            TestFrames.flat(frame, 16, 128, 128);
            frame.ptsTicks(3_600);
            assertEquals(1, encoder.encode(frame, false).size());
            assertThrows(IllegalArgumentException.class, () -> encoder.encode(frame, false));
        }
    }

    @Test
    void encode_otherSize_isRefused() {
        try (VideoEncoder encoder = VideoEncoder.open(LIVE);
                VideoFrame frame = VideoFrame.allocate(new FrameFormat(322, 240, Colour.BT709))) {
            assertThrows(IllegalArgumentException.class, () -> encoder.encode(frame, false));
        }
    }

    @Test
    void encode_afterTheEnd_isRefused_theEndComesOnce() {
        try (VideoEncoder encoder = VideoEncoder.open(LIVE);
                VideoFrame frame = VideoFrame.allocate(FORMAT)) {
            TestFrames.flat(frame, 16, 128, 128);
            encoder.encode(frame, false);
            encoder.finish();

            assertEquals(List.of(), encoder.finish());
            frame.ptsTicks(3_600);
            assertThrows(IllegalStateException.class, () -> encoder.encode(frame, false));
        }
    }

    @Test
    void encoder_softwareWithFramesOfTheGpu_isRefused() {
        var refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                VideoEncoder.open(
                                        LIVE, /* sampleAspect= */ 1, /* gpuFrames= */ true));

        assertEquals(
                TestMedia.encoder().configName() + " does not read the memory of the GPU",
                refused.getMessage());
    }

    @Test
    void decoder_threadsOutOfRange_areRefused() {
        Track track = TestMedia.video(LIVE, 1).getFirst().track();

        for (int threads : new int[] {0, 17}) {
            var refused =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> VideoDecoder.open(track, threads));
            assertEquals("threads: " + threads + " (1..16)", refused.getMessage());
        }
    }

    @Test
    void decoder_audioTrack_isRefused() {
        var refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> VideoDecoder.open(SyntheticStream.AUDIO_TRACK, 1));

        assertEquals("not a video track: mp4a.40.2", refused.getMessage());
    }

    /** Times of another timescale become 1/90 000 s. */
    @Test
    void decode_trackInMilliseconds_givesTimesOfVideo() {
        AccessUnit unit = TestMedia.video(LIVE, 1).getFirst();
        Track track = new Track(Track.VIDEO_ID, new Timescale(1_000), unit.track().codec());
        List<Long> times = new ArrayList<>();
        try (VideoDecoder decoder = VideoDecoder.open(track, 1)) {
            collect(decoder.decode(unit.at(track, 120, 0)), times);
            collect(decoder.drain(), times);

            assertEquals(List.of(), decoder.drain(), "the end comes once");
        }
        assertEquals(List.of(10_800L), times);
    }

    @ParameterizedTest
    @EnumSource
    void encode_eachUsableEncoder_decodes(H264Encoder encoder) {
        if (!Ffmpeg.encoders().canUse(encoder)) {
            String refusal = Ffmpeg.encoders().refusals().getOrDefault(encoder, "");
            assertFalse(refusal.isBlank());
            assertThrows(FfmpegException.class, () -> VideoEncoder.open(LIVE.with(encoder)));
            return;
        }
        List<AccessUnit> units = TestMedia.video(LIVE.with(encoder), 10);

        assertTrue(units.getFirst().isKeyFrame());
        assertDecodesTo(units, units.size(), 30.0);
    }

    @Test
    void decode_randomBytes_isMalformedOrNothing() {
        List<AccessUnit> units = TestMedia.video(LIVE, 2);
        Random random = new Random(1);
        try (VideoDecoder decoder = VideoDecoder.open(units.getFirst().track(), 1)) {
            int refused = 0;
            for (int i = 0; i < 200; i++) {
                byte[] bytes = new byte[random.nextInt(400)];
                random.nextBytes(bytes);
                AccessUnit unit = units.getFirst();
                AccessUnit bad =
                        new AccessUnit(unit.track(), i, 0, true, MemorySegment.ofArray(bytes));
                try {
                    decoder.decode(bad).forEach(VideoFrame::close);
                } catch (MalformedMediaException e) {
                    refused++;
                }
            }
            assertTrue(refused > 100, "refused: " + refused);
            decoder.flush();
            List<VideoFrame> frames = new ArrayList<>(decoder.decode(units.getFirst()));
            frames.addAll(decoder.drain());
            assertEquals(1, frames.size());
            frames.forEach(VideoFrame::close);
        }
    }

    /** With two threads the error comes one unit later, where frames are received. */
    @Test
    void decode_brokenUnitInTwoThreads_isMalformed_theNextKeyFrameDecodes() {
        List<AccessUnit> units = TestMedia.video(LIVE, 3);
        AccessUnit broken = TestMedia.broken(units.get(1));
        List<Long> times = new ArrayList<>();
        try (VideoDecoder decoder = VideoDecoder.open(units.getFirst().track(), 2)) {
            assertThrows(
                    MalformedMediaException.class,
                    () -> {
                        collect(decoder.decode(units.getFirst()), times);
                        collect(decoder.decode(broken), times);
                        collect(decoder.decode(units.get(2)), times);
                        collect(decoder.drain(), times);
                    });
            decoder.flush();
            times.clear();
            collect(decoder.decode(units.getFirst()), times);
            collect(decoder.drain(), times);
        }
        assertEquals(List.of(0L), times);
    }

    @Test
    void decode_skipNonKey_givesKeyFramesOnly() {
        List<AccessUnit> units = TestMedia.video(LIVE.with(new VideoSettings.Gop(10, 0)), 30);
        List<Long> times = new ArrayList<>();
        try (VideoDecoder decoder = VideoDecoder.open(units.getFirst().track(), 1)) {
            decoder.skip(VideoDecoder.Skip.NON_KEY);
            for (AccessUnit unit : units) {
                collect(decoder.decode(unit), times);
            }
            collect(decoder.drain(), times);
        }
        assertEquals(List.of(0L, 36_000L, 72_000L), times);
    }

    @Test
    void frame_afterClose_refusesUse() {
        VideoFrame frame = VideoFrame.allocate(FORMAT);
        MemorySegment luma = frame.planes().getFirst().samples();
        frame.close();
        frame.close();

        assertThrows(
                IllegalStateException.class,
                () -> luma.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0));
        assertThrows(IllegalStateException.class, frame::view);
    }

    private static void assertDecodesTo(List<AccessUnit> units, int frames, double minPsnr) {
        List<VideoFrame> decoded = new ArrayList<>();
        try (VideoDecoder decoder = VideoDecoder.open(units.getFirst().track(), 1);
                VideoFrame expected = VideoFrame.allocate(FORMAT)) {
            for (AccessUnit unit : units) {
                decoded.addAll(decoder.decode(unit));
            }
            decoded.addAll(decoder.drain());
            assertEquals(frames, decoded.size());
            for (int i = 0; i < frames; i++) {
                VideoFrame frame = decoded.get(i);
                assertEquals(FORMAT, frame.format());
                assertEquals(FrameRate.of(25).ticksOf(i), frame.ptsTicks());
                TestFrames.draw(expected, i);
                double psnr = TestFrames.psnr(expected, frame);
                assertTrue(psnr > minPsnr, "frame " + i + ": " + psnr + " dB");
            }
        } finally {
            decoded.forEach(VideoFrame::close);
        }
    }

    private static List<Integer> idrIndexes(List<AccessUnit> units) {
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < units.size(); i++) {
            if (units.get(i).idr()) {
                indexes.add(i);
            }
        }
        return indexes;
    }

    private static void collect(List<VideoFrame> frames, List<Long> times) {
        for (VideoFrame frame : frames) {
            times.add(frame.ptsTicks());
            frame.close();
        }
    }
}
