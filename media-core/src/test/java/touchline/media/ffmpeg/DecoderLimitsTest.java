package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
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

/** A few bytes of headers demand gigabytes: they are refused before a decoder sees them. */
final class DecoderLimitsTest {
    private static final String AV1_720P = "81050c000a0b0000002d4cffb3c02f8004";
    private static final String PPS = "68ebe3cb";
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
        var refused = assertThrows(MalformedMediaException.class, () -> track(8_208, 16, 1));

        assertEquals("frame size: 8208x16 (expected: at most 8192x8192)", refused.getMessage());
    }

    @Test
    void open_withMorePixelsThanDecoded_isRefused() {
        Track track = track(8_192, 8_192, 1);

        var refused =
                assertThrows(MalformedMediaException.class, () -> VideoDecoder.open(track, 1));

        assertEquals(
                "frame size: 8192x8192 (expected: at most 16777216 pixels)", refused.getMessage());
    }

    @Test
    void headerInsideAUnit_tooLarge_isRefused_theNextUnitIsDecoded() {
        AccessUnit good = TestMedia.video(SETTINGS, 1).getFirst();
        try (VideoDecoder decoder = VideoDecoder.open(good.track(), 1)) {
            byte[] sps = sps(8_192, 8_192, 1);
            byte[] wire = new byte[4 + sps.length];
            wire[3] = (byte) sps.length;
            System.arraycopy(sps, 0, wire, 4, sps.length);
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
                                        MemorySegment.ofArray(HexFormat.of().parseHex(AV1_720P)))));
        Bits header = new Bits();
        header.u(3, 0).u(1, 0).u(1, 0).u(1, 0).u(1, 0).u(5, 0).u(12, 0).u(5, 8).u(1, 0);
        header.u(4, 13).u(4, 13).u(14, 16_127).u(14, 16_127).u(1, 1);
        byte[] payload = header.bytes();
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
        Track large = track(4_096, 4_096, 16);

        var refused =
                assertThrows(MalformedMediaException.class, () -> VideoDecoder.open(large, 1));

        assertEquals(
                "decoder memory: 1824 MiB needed, "
                        + (usedBefore >> 20)
                        + " of 1024 MiB in use"
                        + " (media.decoder-memory)",
                refused.getMessage());
        VideoDecoder.open(track(1_280, 720, 4), 1).close();
    }

    @Test
    void open_refusedForItsSecondSequence_holdsNothing() {
        DecoderMemory.limit(1L << 30);
        AvcConfig config =
                AvcConfig.of(
                        List.of(
                                MemorySegment.ofArray(sps(1_280, 720, 4)),
                                MemorySegment.ofArray(sps(4_096, 4_096, 16))),
                        List.of(MemorySegment.ofArray(HexFormat.of().parseHex(PPS))));
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

    private static Track track(int width, int height, int references) {
        AvcConfig config =
                AvcConfig.of(
                        List.of(MemorySegment.ofArray(sps(width, height, references))),
                        List.of(MemorySegment.ofArray(HexFormat.of().parseHex(PPS))));
        return new Track(1, Timescale.VIDEO, new CodecConfig.Avc(config));
    }

    /** Rec. ITU-T H.264, 7.3.2.1.1: High 4:4:4 Predictive, 10 bits. */
    private static byte[] sps(int width, int height, int references) {
        Bits bits = new Bits().u(8, 0x67).u(8, 244).u(8, 0).u(8, 52);
        bits.ue(0).ue(3).u(1, 0).ue(2).ue(2).u(1, 0).u(1, 0);
        bits.ue(0).ue(2).ue(references).u(1, 0);
        bits.ue(width / 16 - 1).ue(height / 16 - 1).u(1, 1).u(1, 0).u(1, 0).u(1, 0).u(1, 1);
        return bits.bytes();
    }

    /** Writes header fields, most significant bit first. */
    private static final class Bits {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int pending;
        private int count;

        Bits u(int width, int value) {
            for (int i = width - 1; i >= 0; i--) {
                pending = (pending << 1) | ((value >> i) & 1);
                count++;
                if (count == 8) {
                    out.write(pending);
                    pending = 0;
                    count = 0;
                }
            }
            return this;
        }

        Bits ue(int value) {
            int width = 32 - Integer.numberOfLeadingZeros(value + 1);
            return u(width - 1, 0).u(width, value + 1);
        }

        byte[] bytes() {
            while (count != 0) {
                u(1, 0);
            }
            return out.toByteArray();
        }
    }
}
