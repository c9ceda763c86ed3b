package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.media.AccessUnit;
import touchline.media.Track;

/** Changes of encoder settings during a stream, which must not break playback. */
final class EncoderChangeTest {
    private static final FrameFormat FORMAT = new FrameFormat(320, 240, Colour.BT601);
    private static final VideoSettings LIVE =
            VideoSettings.live(FORMAT, FrameRate.of(25), TestMedia.encoder());

    @ParameterizedTest
    @EnumSource(names = {"ULTRAFAST", "SUPERFAST", "VERYFAST"})
    void quickerPreset_hasTheSameParameterSets(VideoSettings.Speed speed) {
        assertEquals(
                track(VideoSettings.Speed.VERYFAST),
                track(speed),
                "players would need another init segment");
    }

    @Test
    void rate_changedWhileEncoding_isKeptWithoutAKeyFrame() {
        if (TestMedia.encoder() == H264Encoder.OPENH264) {
            System.out.println("skipped: openh264 keeps the rate it was opened with");
            Assumptions.abort("no encoder can change its bit rate while encoding");
        }
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder encoder =
                        VideoEncoder.open(
                                LIVE.withBitrate(400_000).with(new VideoSettings.Gop(1000, 0)));
                VideoFrame frame = VideoFrame.allocate(FORMAT)) {
            for (int i = 0; i < 300; i++) {
                if (i == 150) {
                    encoder.bitrate(1_600_000);
                }
                TestFrames.draw(frame, i);
                TestFrames.shade(frame, i);
                frame.ptsTicks(FrameRate.of(25).ticksOf(i));
                units.addAll(encoder.encode(frame, /* forceKeyFrame= */ false));
            }
        }
        long before = bytes(units.subList(75, 150));
        long after = bytes(units.subList(225, 300));

        assertTrue(after > 2 * before, before + " bytes, then " + after);
        assertEquals(1, units.stream().filter(AccessUnit::idr).count());
    }

    private static Track track(VideoSettings.Speed speed) {
        try (VideoEncoder encoder =
                VideoEncoder.open(LIVE.with(new VideoSettings.Tuning(speed, 1, true)))) {
            return encoder.track();
        }
    }

    private static long bytes(List<AccessUnit> units) {
        return units.stream().mapToLong(unit -> unit.payload().byteSize()).sum();
    }
}
