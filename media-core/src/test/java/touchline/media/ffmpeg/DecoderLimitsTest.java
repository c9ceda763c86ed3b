package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.Av1Config;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.MalformedMediaException;
import touchline.testing.CodecRecords;

/** A few bytes of headers demand gigabytes: they are refused before a decoder sees them. */
final class DecoderLimitsTest {
    /** Sequence header of 16 128 x 16 128 (AV1, 5.5). */
    private static final String AV1_LARGE = "0000004377efffbfe0";

    // Sequence parameter sets of High 4:4:4 Predictive, 10 bits (Rec. ITU-T H.264, 7.3.2.1.1).
    private static final byte[] SPS_8208X16 = bytes("67f4003490d968008071");
    private static final byte[] SPS_8192X8192 = bytes("67f4003490d968008000100440");
    private static final byte[] SPS_4096X4096_16_REFERENCES = bytes("67f4003490d961100400020110");
    private static final byte[] SPS_1280X720_4_REFERENCES = bytes("67f4003490d965014016c4");
    private static final byte[] PPS = bytes("68ebe3cb");
    private static final VideoSettings SETTINGS =
            VideoSettings.live(
                    new FrameFormat(320, 240, Colour.BT709), FrameRate.of(25), TestMedia.encoder());

    private final long usedBefore = DecoderMemory.usedBytes();

    @AfterEach
    void nothingIsHeld() {
        DecoderMemory.limit(Long.MAX_VALUE);
        assertEquals(usedBefore, DecoderMemory.usedBytes());
    }

    @Test
    void configuration_widerThan8192_isRefusedWhereItIsRead() {
        var refused = assertThrows(MalformedMediaException.class, () -> track(SPS_8208X16));

        assertEquals("frame size: 8208x16 (expected: at most 8192x8192)", refused.getMessage());
    }

    @Test
    void open_withMorePixelsThanDecoded_isRefused() {
        Track track = track(SPS_8192X8192);

        var refused =
                assertThrows(MalformedMediaException.class, () -> VideoDecoder.open(track, 1));

        assertEquals(
                "frame size: 8192x8192 (expected: at most 16777216 pixels)", refused.getMessage());
    }

    @Test
    void headerInsideAUnit_tooLarge_isRefused_theNextUnitIsDecoded() {
        AccessUnit good = TestMedia.video(SETTINGS, 1).getFirst();
        try (VideoDecoder decoder = VideoDecoder.open(good.track(), 1)) {
            byte[] wire = new byte[4 + SPS_8192X8192.length];
            wire[3] = (byte) SPS_8192X8192.length;
            System.arraycopy(SPS_8192X8192, 0, wire, 4, SPS_8192X8192.length);
            AccessUnit bomb = unit(good.track(), wire);

            assertThrows(MalformedMediaException.class, () -> decoder.decode(bomb));

            List<VideoFrame> frames = new ArrayList<>(decoder.decode(good));
            frames.addAll(decoder.drain());
            assertFalse(frames.isEmpty());
            frames.forEach(VideoFrame::close);
        }
    }

    /** 16 128 x 16 128 in 17 bytes. */
    @Test
    void av1HeaderInsideAUnit_tooLarge_isRefused() {
        Track track =
                new Track(
                        1,
                        Timescale.VIDEO,
                        new CodecConfig.Av1(
                                Av1Config.parse(
                                        MemorySegment.ofArray(bytes(CodecRecords.AV1_720P)))));
        byte[] payload = bytes(AV1_LARGE);
        byte[] wire = new byte[2 + payload.length];
        wire[0] = 0x0a;
        wire[1] = (byte) payload.length;
        System.arraycopy(payload, 0, wire, 2, payload.length);
        try (VideoDecoder decoder = VideoDecoder.open(track, 1)) {
            var refused =
                    assertThrows(
                            MalformedMediaException.class, () -> decoder.decode(unit(track, wire)));

            assertEquals(
                    "frame size: 16128x16128 (expected: at most 8192x8192)", refused.getMessage());
        }
    }

    /** 4:4:4, 10 bits, 16 references: 1.9 GiB each. */
    @Test
    void decoders_aboveTheMemoryOfTheProcess_areRefused_smallOnesOpen() {
        DecoderMemory.limit(1L << 30);
        Track large = track(SPS_4096X4096_16_REFERENCES);

        var refused =
                assertThrows(MalformedMediaException.class, () -> VideoDecoder.open(large, 1));

        assertEquals(
                "decoder memory: 1824 MiB needed, "
                        + (usedBefore >> 20)
                        + " of 1024 MiB in use"
                        + " (media.decoder-memory)",
                refused.getMessage());
        VideoDecoder.open(track(SPS_1280X720_4_REFERENCES), 1).close();
    }

    @Test
    void open_refusedForItsSecondSequence_holdsNothing() {
        DecoderMemory.limit(1L << 30);
        AvcConfig config =
                AvcConfig.of(
                        List.of(
                                MemorySegment.ofArray(SPS_1280X720_4_REFERENCES),
                                MemorySegment.ofArray(SPS_4096X4096_16_REFERENCES)),
                        List.of(MemorySegment.ofArray(PPS)));
        Track track = new Track(1, Timescale.VIDEO, new CodecConfig.Avc(config));

        assertThrows(MalformedMediaException.class, () -> VideoDecoder.open(track, 1));

        assertEquals(usedBefore, DecoderMemory.usedBytes());
    }

    @Test
    void frame_tooLarge_keepsItsOwner() {
        Ffmpeg.load();
        AVFrame frame = avutil.av_frame_alloc();
        frame.format(avutil.AV_PIX_FMT_YUV420P).width(8_208).height(16);
        Ffmpeg.check(avutil.av_frame_get_buffer(frame, 0), "av_frame_get_buffer");

        assertThrows(
                IllegalArgumentException.class, () -> VideoFrame.moved(frame, Colour.BT709, 0));

        assertFalse(frame.data(0).isNull());
        avutil.av_frame_free(frame);
    }

    private static AccessUnit unit(Track track, byte[] payload) {
        return new AccessUnit(track, 0, 0, true, MemorySegment.ofArray(payload));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static Track track(byte[] sps) {
        AvcConfig config =
                AvcConfig.of(
                        List.of(MemorySegment.ofArray(sps)), List.of(MemorySegment.ofArray(PPS)));
        return new Track(1, Timescale.VIDEO, new CodecConfig.Avc(config));
    }
}
