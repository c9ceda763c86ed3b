package touchline.packager.isobmff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.codec.OpusConfig;

/**
 * The sample entry of a track: codec, size or channels, and the decoder configuration. Parameter
 * sets are stored out of band only ({@code avc1}, {@code hvc1}); colours come from the bit stream.
 *
 * <p>Source: ISO/IEC 14496-12, 12.1.3 and 12.2.3; ISO/IEC 14496-15, 5.4.2.1 and 8.4.1.1; AV1 in
 * ISOBMFF 1.3, 2.2; ISO/IEC 14496-14, 5.6; Opus in ISOBMFF 0.6.8, 4.3. Stateless.
 */
final class SampleEntries {
    /** 72 dots per inch, 16.16. */
    private static final int RESOLUTION = 0x0048_0000;

    private static final int OPUS_HEAD_BYTES = 19;
    private static final int MPEG1_MIN_HZ = 32_000;
    private static final ValueLayout.OfShort LE16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt LE32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private SampleEntries() {}

    /** Writes the entry of a track, to stand in {@code stsd}. */
    static void write(BoxWriter out, Track track) {
        switch (track.codec()) {
            case CodecConfig.Avc(var config) ->
                    visual(out, "avc1", config.width(), config.height(), "avcC", config.bytes());
            case CodecConfig.Hevc(var config) ->
                    visual(out, "hvc1", config.width(), config.height(), "hvcC", config.bytes());
            case CodecConfig.Av1(var config) ->
                    visual(out, "av01", config.width(), config.height(), "av1C", config.bytes());
            case CodecConfig.Aac(var config) ->
                    audio(
                            out,
                            "mp4a",
                            config.channels(),
                            config.sampleRateHz(),
                            () -> esds(out, /* objectType= */ 0x40, config.bytes()));
            case CodecConfig.Opus(var config) ->
                    audio(out, "Opus", config.channels(), 48_000, () -> dOps(out, config));
            case CodecConfig.Mp3(int rateHz, int channels) ->
                    audio(
                            out,
                            "mp4a",
                            channels,
                            rateHz,
                            () ->
                                    esds(
                                            out,
                                            rateHz >= MPEG1_MIN_HZ ? 0x6B : 0x69,
                                            MemorySegment.NULL));
        }
    }

    private static void visual(
            BoxWriter out,
            String type,
            int width,
            int height,
            String configType,
            MemorySegment config) {
        out.box(
                type,
                () -> {
                    out.zeros(6);
                    out.u16(1); // data_reference_index
                    out.zeros(16); // pre_defined, reserved
                    out.u16(width);
                    out.u16(height);
                    out.u32(RESOLUTION);
                    out.u32(RESOLUTION);
                    out.zeros(4);
                    out.u16(1); // frame_count
                    out.zeros(32); // compressorname
                    out.u16(0x0018); // depth
                    out.u16(0xFFFF); // pre_defined
                    out.box(configType, () -> out.bytes(config));
                });
    }

    private static void audio(
            BoxWriter out, String type, int channels, int rateHz, Runnable config) {
        out.box(
                type,
                () -> {
                    out.zeros(6);
                    out.u16(1); // data_reference_index
                    out.zeros(8);
                    out.u16(channels);
                    out.u16(16); // samplesize
                    out.zeros(4);
                    out.u32(rateHz <= 0xFFFF ? (long) rateHz << 16 : 0);
                    config.run();
                });
    }

    /** ES_Descriptor (ISO/IEC 14496-1, 7.2.6.5), lengths in one byte each. */
    private static void esds(BoxWriter out, int objectType, MemorySegment specific) {
        int specificBytes = Math.toIntExact(specific.byteSize());
        int specificTagged = specificBytes == 0 ? 0 : 2 + specificBytes;
        int decoderBytes = 13 + specificTagged;
        int esBytes = 3 + 2 + decoderBytes + 3;
        if (esBytes > 0x7F) {
            throw new MalformedMediaException(
                    "AudioSpecificConfig: " + specificBytes + " bytes (expected: <= 100)");
        }
        out.fullBox(
                "esds",
                0,
                0,
                () -> {
                    out.u8(0x03); // ES_DescrTag
                    out.u8(esBytes);
                    out.u16(0); // ES_ID: 0 in files
                    out.u8(0);
                    out.u8(0x04); // DecoderConfigDescrTag
                    out.u8(decoderBytes);
                    out.u8(objectType);
                    out.u8(0x15); // AudioStream, reserved bit
                    out.zeros(11); // bufferSizeDB, maxBitrate, avgBitrate: unknown
                    if (specificBytes > 0) {
                        out.u8(0x05); // DecSpecificInfoTag
                        out.u8(specificBytes);
                        out.bytes(specific);
                    }
                    out.u8(0x06); // SLConfigDescrTag
                    out.u8(1);
                    out.u8(0x02); // reserved for use in MP4 files
                });
    }

    /** OpusSpecificBox: the identification header, big endian and without its magic. */
    private static void dOps(BoxWriter out, OpusConfig config) {
        MemorySegment head = config.bytes();
        if (head.byteSize() < OPUS_HEAD_BYTES) {
            throw new MalformedMediaException(
                    "OpusHead: %d bytes (expected: >= %d)"
                            .formatted(head.byteSize(), OPUS_HEAD_BYTES));
        }
        out.box(
                "dOps",
                () -> {
                    out.u8(0); // Version
                    out.u8(head.get(ValueLayout.JAVA_BYTE, 9));
                    out.u16(head.get(LE16, 10));
                    out.u32(head.get(LE32, 12));
                    out.u16(head.get(LE16, 16));
                    // ChannelMappingFamily, and the mapping table where there is one.
                    out.bytes(head.asSlice(18));
                });
    }
}
