package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * AudioSpecificConfig of AAC (ISO/IEC 14496-3, 1.6.2.1). Immutable, any thread; equality compares
 * the bytes.
 *
 * @param bytes the configuration as received, read-only
 * @param objectType 2 low complexity, 5 with spectral band replication, 29 with parametric stereo
 *     too; 1, 3 and 4 as the standard names them
 * @param sampleRateHz of the core coder; {@code samplesPerFrame} counts at this rate
 * @param channels after decoding: 2 for parametric stereo
 * @param samplesPerFrame 1024 or 960
 */
public record AudioSpecificConfig(
        MemorySegment bytes, int objectType, int sampleRateHz, int channels, int samplesPerFrame) {
    private static final String NAME = "AudioSpecificConfig";

    /** ISO/IEC 14496-3, table 1.18. */
    private static final List<Integer> SAMPLE_RATES_HZ =
            List.of(
                    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000,
                    11_025, 8_000, 7_350);

    private static final int EXPLICIT_RATE = 15;
    private static final int MIN_RATE_HZ = 4_000;
    private static final int MAX_RATE_HZ = 192_000;
    private static final int MAX_CHANNELS = 16;
    private static final int LOW_COMPLEXITY = 2;
    private static final int SBR = 5;
    private static final int PS = 29;
    private static final int SYNC_SBR = 0x2b7;
    private static final int SYNC_PS = 0x548;
    private static final int ADTS_HEADER_BYTES = 7;
    private static final int MAX_ADTS_FRAME_BYTES = 8_191;

    public AudioSpecificConfig {
        bytes = ConfigBytes.copyOf(bytes, NAME);
    }

    /**
     * @throws MalformedMediaException if the configuration is truncated or the coder is not AAC
     */
    public static AudioSpecificConfig parse(MemorySegment bytes) {
        MemorySegment own = ConfigBytes.copyOf(bytes, NAME);
        var reader = new BitReader(own, NAME);
        int first = objectType(reader);
        int rateHz = sampleRateHz(reader);
        int configuration = reader.u(4, "channelConfiguration");
        int coder = first;
        if (first == SBR || first == PS) {
            sampleRateHz(reader);
            coder = objectType(reader);
        }
        if (coder < 1 || coder > 4) {
            throw reader.wrong("audioObjectType", coder, "1..4, the core of 5 or 29");
        }
        boolean shortFrames = reader.flag("frameLengthFlag");
        if (reader.flag("dependsOnCoreCoder")) {
            reader.skip(14, "coreCoderDelay");
        }
        reader.skip(1, "extensionFlag");
        int channels = configuration == 0 ? programConfig(reader) : channels(reader, configuration);
        int shown = first == coder ? implied(reader, coder) : first;
        return new AudioSpecificConfig(
                own,
                shown,
                rateHz,
                shown == PS && channels == 1 ? 2 : channels,
                shortFrames ? 960 : 1024);
    }

    /**
     * Writes the configuration of low complexity AAC in frames of 1024.
     *
     * @param channels 1 to 6, or 8
     */
    public static AudioSpecificConfig of(int sampleRateHz, int channels) {
        int rateIndex = SAMPLE_RATES_HZ.indexOf(sampleRateHz);
        int configuration = channels == 8 ? 7 : channels;
        if (rateIndex < 0 || channels < 1 || channels == 7 || channels > 8) {
            throw new IllegalArgumentException(
                    sampleRateHz
                            + " Hz, "
                            + channels
                            + " channels (a rate of table 1.18, 1..6, 8)");
        }
        int bits = (LOW_COMPLEXITY << 11) | (rateIndex << 7) | (configuration << 3);
        return parse(MemorySegment.ofArray(new byte[] {(byte) (bits >> 8), (byte) bits}));
    }

    /** E.g. {@code mp4a.40.2} (RFC 6381, 3.3). */
    public String rfc6381() {
        return "mp4a.40." + objectType;
    }

    /**
     * Returns the ADTS header of a frame (ISO/IEC 14496-3, 1.A.2.2).
     *
     * @param frameBytes size of the raw frame that follows
     * @return 7 bytes
     * @throws IllegalArgumentException if the header cannot express this configuration or size
     */
    public byte[] adtsHeader(int frameBytes) {
        int second = ConfigBytes.octet(bytes, 1);
        int rateIndex = ((ConfigBytes.octet(bytes, 0) & 7) << 1) | (second >> 7);
        int configuration = (second >> 3) & 0xf;
        int total = frameBytes + ADTS_HEADER_BYTES;
        if (rateIndex == EXPLICIT_RATE || configuration == 0 || configuration > 7) {
            throw new IllegalArgumentException(
                    sampleRateHz + " Hz, channel configuration " + configuration + " in ADTS");
        }
        if (frameBytes < 0 || total > MAX_ADTS_FRAME_BYTES) {
            throw new IllegalArgumentException("frame: " + frameBytes + " bytes (<= 8184)");
        }
        int coder = objectType == SBR || objectType == PS ? LOW_COMPLEXITY : objectType;
        return new byte[] {
            (byte) 0xff,
            (byte) 0xf1,
            (byte) (((coder - 1) << 6) | (rateIndex << 2) | (configuration >> 2)),
            (byte) (((configuration & 3) << 6) | (total >> 11)),
            (byte) (total >> 3),
            (byte) (((total & 7) << 5) | 0x1f),
            (byte) 0xfc
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AudioSpecificConfig that && ConfigBytes.same(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return ConfigBytes.hash(bytes);
    }

    /** ISO/IEC 14496-3, 1.6.2.1, GetAudioObjectType. */
    private static int objectType(BitReader reader) {
        int type = reader.u(5, "audioObjectType");
        return type == 31 ? 32 + reader.u(6, "audioObjectTypeExt") : type;
    }

    private static int sampleRateHz(BitReader reader) {
        int index = reader.u(4, "samplingFrequencyIndex");
        if (index == EXPLICIT_RATE) {
            return reader.u(24, MIN_RATE_HZ, MAX_RATE_HZ, "samplingFrequency");
        }
        if (index >= SAMPLE_RATES_HZ.size()) {
            throw reader.wrong("samplingFrequencyIndex", index, "0..12, 15");
        }
        return SAMPLE_RATES_HZ.get(index);
    }

    /** ISO/IEC 14496-3, table 1.19. */
    private static int channels(BitReader reader, int configuration) {
        return switch (configuration) {
            case 1, 2, 3, 4, 5, 6 -> configuration;
            case 7, 12, 14 -> 8;
            case 11 -> 7;
            default ->
                    throw reader.wrong("channelConfiguration", configuration, "0..7, 11, 12, 14");
        };
    }

    /** Counts the channels of a program_config_element (ISO/IEC 14496-3, 4.4.1.1). */
    private static int programConfig(BitReader reader) {
        reader.skip(10, "element_instance_tag");
        int elements = 0;
        for (String place : List.of("front", "side", "back")) {
            elements += reader.u(4, "num_" + place + "_channel_elements");
        }
        int lowFrequency = reader.u(2, "num_lfe_channel_elements");
        int data = reader.u(3, "num_assoc_data_elements");
        int coupling = reader.u(4, "num_valid_cc_elements");
        for (String mixdown : List.of("mono", "stereo")) {
            if (reader.flag(mixdown + "_mixdown_present")) {
                reader.skip(4, mixdown + "_mixdown_element_number");
            }
        }
        if (reader.flag("matrix_mixdown_idx_present")) {
            reader.skip(3, "matrix_mixdown_idx");
        }
        int channels = lowFrequency;
        for (int i = 0; i < elements; i++) {
            channels += reader.flag("element_is_cpe") ? 2 : 1;
            reader.skip(4, "element_tag_select");
        }
        reader.skip(4L * lowFrequency + 4L * data + 5L * coupling, "element_tag_select");
        reader.align();
        int commentBytes = reader.u(8, "comment_field_bytes");
        reader.skip(8L * commentBytes, "comment_field_data");
        if (channels < 1 || channels > MAX_CHANNELS) {
            throw reader.wrong("program_config_element", channels + " channels", "1..16");
        }
        return channels;
    }

    /** Reads trailing extensions, which old decoders ignore (ISO/IEC 14496-3, 1.6.6.2). */
    private static int implied(BitReader reader, int coder) {
        if (reader.remainingBits() < 17 || reader.u(11, "syncExtensionType") != SYNC_SBR) {
            return coder;
        }
        if (objectType(reader) != SBR || !reader.flag("sbrPresentFlag")) {
            return coder;
        }
        sampleRateHz(reader);
        boolean stereo =
                reader.remainingBits() >= 12
                        && reader.u(11, "syncExtensionType") == SYNC_PS
                        && reader.flag("psPresentFlag");
        return stereo ? PS : SBR;
    }
}
