package touchline.packager.isobmff;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import touchline.media.CodecConfig;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.codec.Av1Config;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.HevcConfig;
import touchline.media.codec.MalformedMediaException;
import touchline.media.codec.OpusConfig;
import touchline.packager.isobmff.BoxReader.Box;

/**
 * Reads a sample entry back into what a decoder must know: the other side of {@link SampleEntries},
 * and of what it writes only. Stateless.
 */
public final class SampleEntryReader {
    private static final int VISUAL_FIELDS_BYTES = 78;
    private static final int AUDIO_FIELDS_BYTES = 28;
    private static final int MPEG4_AUDIO = 0x40;
    private static final int DECODER_CONFIG = 0x04;
    private static final int DECODER_SPECIFIC_INFO = 0x05;

    private SampleEntryReader() {}

    /**
     * @param sampleEntry with its box header; what is kept of it is a copy
     * @throws MalformedMediaException when it is none of those written here
     */
    public static CodecConfig codec(MemorySegment sampleEntry) {
        Box entry = BoxReader.walk(sampleEntry).getFirst();
        return switch (entry.type()) {
            case "avc1" -> new CodecConfig.Avc(AvcConfig.parse(config(entry, "avcC")));
            case "hvc1" -> new CodecConfig.Hevc(HevcConfig.parse(config(entry, "hvcC")));
            case "av01" -> new CodecConfig.Av1(Av1Config.parse(config(entry, "av1C")));
            case "Opus" -> new CodecConfig.Opus(OpusConfig.parse(opusHead(entry)));
            case "mp4a" -> mpeg(entry);
            default -> throw new MalformedMediaException("sample entry: " + entry.type());
        };
    }

    private static MemorySegment config(Box entry, String type) {
        return copy(need(entry, VISUAL_FIELDS_BYTES, type).payload());
    }

    private static Box need(Box entry, int fieldsBytes, String type) {
        return BoxReader.first(entry.children(fieldsBytes), type)
                .orElseThrow(() -> new MalformedMediaException(entry.type() + " without " + type));
    }

    private static CodecConfig mpeg(Box entry) {
        // ES_Descriptor (ISO/IEC 14496-1, 7.2.6.5): tag, length, ES_ID, flags, then its parts.
        Box esds = need(entry, AUDIO_FIELDS_BYTES, "esds");
        long at = 4 + 2 + 3;
        if (esds.u8(at) != DECODER_CONFIG) {
            throw new MalformedMediaException("esds without DecoderConfigDescriptor");
        }
        if (esds.u8(at + 2) != MPEG4_AUDIO) {
            return mp3((int) (entry.u32(24) >>> 16), entry.u16(16));
        }
        long specific = at + 2 + 13;
        if (esds.u8(specific) != DECODER_SPECIFIC_INFO) {
            throw new MalformedMediaException("esds without DecoderSpecificInfo");
        }
        int length = esds.u8(specific + 1);
        esds.u8(specific + 1 + length); // checks that it is all there
        return new CodecConfig.Aac(
                AudioSpecificConfig.parse(copy(esds.payload().asSlice(specific + 2, length))));
    }

    private static CodecConfig mp3(int sampleRateHz, int channels) {
        if (sampleRateHz == 0 || channels == 0) {
            throw new MalformedMediaException(
                    "mp4a: %d Hz, %d channels (expected: > 0)".formatted(sampleRateHz, channels));
        }
        return new CodecConfig.Mp3(sampleRateHz, channels);
    }

    /** The identification header (RFC 7845, 5.1) that a {@code dOps} box was made of. */
    private static MemorySegment opusHead(Box entry) {
        Box config = need(entry, AUDIO_FIELDS_BYTES, "dOps");
        ByteBuffer fields =
                ByteBuffer.allocate(10)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put((byte) 1)
                        .put((byte) config.u8(1))
                        .putShort((short) config.u16(2))
                        .putInt(config.i32(4))
                        .putShort((short) config.u16(8));
        ByteArrayOutputStream head = new ByteArrayOutputStream(32);
        head.writeBytes("OpusHead".getBytes(StandardCharsets.US_ASCII));
        head.writeBytes(fields.array());
        head.writeBytes(config.payload().asSlice(10).toArray(ValueLayout.JAVA_BYTE));
        return MemorySegment.ofArray(head.toByteArray()).asReadOnly();
    }

    private static MemorySegment copy(MemorySegment bytes) {
        return MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE)).asReadOnly();
    }

    /** The codecs of an init segment's tracks, in order. */
    public static List<CodecConfig> codecs(InitReader init) {
        return init.tracks().stream().map(track -> codec(track.sampleEntry())).toList();
    }
}
