package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.media.AccessUnit;
import touchline.media.codec.MalformedMediaException;

final class LiveDecoderTest {
    private static final List<AccessUnit> WIDE = video(320, 180);
    private static final List<AccessUnit> SMALL = video(160, 90);

    private static List<AccessUnit> video(int width, int height) {
        VideoSettings settings =
                VideoSettings.live(
                        new FrameFormat(width, height, Colour.BT709),
                        FrameRate.of(25),
                        TestMedia.encoder());
        return TestMedia.video(settings, 10);
    }

    /** On a host without a GPU each use decodes in software, with one it must give the same. */
    @ParameterizedTest
    @EnumSource
    void eachUse_givesAllFrames(GpuUse gpu) {
        try (LiveDecoder decoder = new LiveDecoder("session=test", gpu)) {
            assertEquals(WIDE.size(), decoded(decoder, WIDE));
        }
    }

    @Test
    void anotherTrack_getsAnotherDecoder() {
        try (LiveDecoder decoder = new LiveDecoder("session=test", GpuUse.NONE)) {
            assertEquals(WIDE.size(), decoded(decoder, WIDE));
            assertEquals(SMALL.size(), decoded(decoder, SMALL));
        }
    }

    @Test
    void brokenUnit_isRefused_andTheNextKeyFrameDecoded() {
        AccessUnit broken = TestMedia.broken(WIDE.getFirst());
        try (LiveDecoder decoder = new LiveDecoder("session=test", GpuUse.FRAMES)) {
            assertThrows(MalformedMediaException.class, () -> decoder.decode(broken));

            assertEquals(WIDE.size(), decoded(decoder, WIDE));
        }
    }

    @Test
    void drain_beforeTheFirstUnit_hasNothing() {
        try (LiveDecoder decoder = new LiveDecoder("session=test", GpuUse.NONE)) {
            decoder.skip(VideoDecoder.Skip.NON_KEY);
            decoder.flush();

            assertEquals(List.of(), decoder.drain());
            assertEquals(WIDE.size(), decoded(decoder, WIDE));
        }
    }

    @Test
    void withoutGpu_goesOnWithAKeyFrame() {
        try (LiveDecoder decoder = new LiveDecoder("session=test", GpuUse.FRAMES)) {
            assertEquals(WIDE.size(), decoded(decoder, WIDE));

            decoder.withoutGpu("for the test");

            assertEquals(WIDE.size(), decoded(decoder, WIDE));
        }
    }

    private static int decoded(LiveDecoder decoder, List<AccessUnit> units) {
        int count = 0;
        for (AccessUnit unit : units) {
            count += closed(decoder.decode(unit));
        }
        return count + closed(decoder.drain());
    }

    private static int closed(List<VideoFrame> frames) {
        frames.forEach(VideoFrame::close);
        return frames.size();
    }
}
