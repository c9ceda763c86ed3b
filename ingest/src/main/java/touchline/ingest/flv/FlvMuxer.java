package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;

/**
 * Writes FLV tags for RTMP messages, as {@link FlvTag} reads them: AVC, AAC and MP3 in the form of
 * Adobe Flash Video File Format 10.1 (E.4.2.1, E.4.3.1), which every target knows; HEVC, AV1 and
 * Opus in that of Enhanced RTMP v2 (ExVideoTagHeader, ExAudioTagHeader). Stateless, any thread.
 */
public final class FlvMuxer {
    private static final int KEY_FRAME = 1;
    private static final int INTER_FRAME = 2;
    private static final int AVC_ID = 7;

    /** AAC; rate, size and type are constant (E.4.2.1). */
    private static final int AAC_HEADER = 0xaf;

    private static final int MP3_FORMAT = 2;
    private static final int MP3_8_KHZ_FORMAT = 14;

    private static final int CONFIGURATION = 0;
    private static final int FRAMES = 1;

    /** Enhanced RTMP: bit of an extended video header; AudioFormat of an extended audio header. */
    private static final int EX_VIDEO = 0x80;

    private static final int EX_AUDIO = 0x90;
    private static final int FRAMES_WITHOUT_OFFSET = 3;

    private FlvMuxer() {}

    /** The code of a codec that only Enhanced RTMP can carry; empty for the others. */
    public static Optional<String> fourCc(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Hevc _ -> Optional.of("hvc1");
            case CodecConfig.Av1 _ -> Optional.of("av01");
            case CodecConfig.Opus _ -> Optional.of("Opus");
            case CodecConfig.Avc _, CodecConfig.Aac _, CodecConfig.Mp3 _ -> Optional.empty();
        };
    }

    /** The codec's usual name. */
    public static String name(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Avc _ -> "H.264";
            case CodecConfig.Hevc _ -> "HEVC";
            case CodecConfig.Av1 _ -> "AV1";
            case CodecConfig.Aac _ -> "AAC";
            case CodecConfig.Opus _ -> "Opus";
            case CodecConfig.Mp3 _ -> "MP3";
        };
    }

    /** The number or code of {@code videocodecid} and {@code audiocodecid} in onMetaData. */
    public static double metadataId(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Avc _ -> AVC_ID;
            case CodecConfig.Aac _ -> AAC_HEADER >> 4;
            case CodecConfig.Mp3 _ -> MP3_FORMAT;
            case CodecConfig.Hevc _, CodecConfig.Av1 _, CodecConfig.Opus _ ->
                    number(fourCc(codec).orElseThrow());
        };
    }

    /** The sequence header of a track; empty for MP3, which has none. */
    public static Optional<MemorySegment> configuration(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Avc(var config) ->
                    Optional.of(
                            tag(
                                    config.bytes(),
                                    KEY_FRAME << 4 | AVC_ID,
                                    CONFIGURATION,
                                    /* composition time */ 0,
                                    0,
                                    0));
            case CodecConfig.Hevc(var config) -> Optional.of(exVideo(codec, config.bytes()));
            case CodecConfig.Av1(var config) -> Optional.of(exVideo(codec, config.bytes()));
            case CodecConfig.Aac(var config) ->
                    Optional.of(tag(config.bytes(), AAC_HEADER, CONFIGURATION));
            case CodecConfig.Opus(var config) ->
                    Optional.of(tagWithCode(codec, config.bytes(), EX_AUDIO | CONFIGURATION));
            case CodecConfig.Mp3 _ -> Optional.empty();
        };
    }

    /**
     * The tag of one frame; copies its bytes.
     *
     * @param compositionTimeMs presentation time minus the time of the message, 24 bits, signed
     */
    public static MemorySegment frame(AccessUnit unit, int compositionTimeMs) {
        CodecConfig codec = unit.track().codec();
        MemorySegment bytes = unit.payload();
        int frameType = unit.idr() ? KEY_FRAME : INTER_FRAME;
        return switch (codec) {
            case CodecConfig.Avc _ ->
                    tag(
                            bytes,
                            frameType << 4 | AVC_ID,
                            FRAMES,
                            compositionTimeMs >> 16,
                            compositionTimeMs >> 8,
                            compositionTimeMs);
            case CodecConfig.Hevc _ ->
                    compositionTimeMs == 0
                            ? tagWithCode(
                                    codec, bytes, EX_VIDEO | frameType << 4 | FRAMES_WITHOUT_OFFSET)
                            : tagWithCode(
                                    codec,
                                    bytes,
                                    EX_VIDEO | frameType << 4 | FRAMES,
                                    compositionTimeMs >> 16,
                                    compositionTimeMs >> 8,
                                    compositionTimeMs);
            case CodecConfig.Av1 _ -> tagWithCode(codec, bytes, EX_VIDEO | frameType << 4 | FRAMES);
            case CodecConfig.Aac _ -> tag(bytes, AAC_HEADER, FRAMES);
            case CodecConfig.Opus _ -> tagWithCode(codec, bytes, EX_AUDIO | FRAMES);
            case CodecConfig.Mp3(int sampleRateHz, int channels) ->
                    tag(bytes, mp3Header(sampleRateHz, channels));
        };
    }

    private static MemorySegment exVideo(CodecConfig codec, MemorySegment configuration) {
        return tagWithCode(codec, configuration, EX_VIDEO | KEY_FRAME << 4 | CONFIGURATION);
    }

    /** SoundRate 0 to 3 are 5.5, 11, 22 and 44 kHz; players read the frame's own header. */
    private static int mp3Header(int sampleRateHz, int channels) {
        int format = sampleRateHz == 8_000 ? MP3_8_KHZ_FORMAT : MP3_FORMAT;
        int rate = sampleRateHz <= 8_000 ? 0 : sampleRateHz <= 12_000 ? 1 : 2;
        return format << 4 | (sampleRateHz > 24_000 ? 3 : rate) << 2 | 2 | (channels > 1 ? 1 : 0);
    }

    private static MemorySegment tagWithCode(
            CodecConfig codec, MemorySegment body, int first, int... offset) {
        int code = number(fourCc(codec).orElseThrow());
        int[] header = new int[5 + offset.length];
        header[0] = first;
        for (int i = 0; i < 4; i++) {
            header[1 + i] = code >> (24 - 8 * i);
        }
        System.arraycopy(offset, 0, header, 5, offset.length);
        return tag(body, header);
    }

    private static MemorySegment tag(MemorySegment body, int... header) {
        byte[] bytes = new byte[Math.toIntExact(header.length + body.byteSize())];
        for (int i = 0; i < header.length; i++) {
            bytes[i] = (byte) header[i];
        }
        MemorySegment.copy(
                body, ValueLayout.JAVA_BYTE, 0, bytes, header.length, (int) body.byteSize());
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    private static int number(String fourCc) {
        int number = 0;
        for (byte each : fourCc.getBytes(StandardCharsets.US_ASCII)) {
            number = number << 8 | each;
        }
        return number;
    }
}
