package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import touchline.testing.fuzz.FuzzTarget;

/**
 * Decoder configurations and sequence headers of H.264, H.265 and AV1. The first byte chooses the
 * parser. What is parsed has values in range, and equals what is written and parsed again.
 */
public final class VideoConfigFuzzTarget implements FuzzTarget {
    private static final List<String> SEEDS =
            List.of(
                    "00" + AvcConfigTest.HIGH_720P30,
                    "00" + AvcConfigTest.SCALING_LISTS,
                    "00" + AvcConfigTest.INTERLACED_422_HRD,
                    "01" + AvcConfigTest.HIGH_720P30.substring(16, 68),
                    "01" + AvcConfigTest.INTERLACED_422_HRD.substring(16, 90),
                    "02" + HevcConfigTest.MAIN_720P30,
                    "02" + HevcConfigTest.MAIN10_1918X1078,
                    "03"
                            + "42010101600000030090000003000003005da00280802d165959a4932bc05a020000"
                            + "030002000003003c10",
                    "04" + Av1ConfigTest.SVT_720P,
                    "04" + Av1ConfigTest.LIBAOM_360P,
                    "05" + "1200" + Av1ConfigTest.SVT_720P.substring(8) + "320100",
                    "06" + Av1ConfigTest.SVT_720P.substring(12));

    @Override
    public String name() {
        return "video-config";
    }

    @Override
    public List<byte[]> seeds() {
        return SEEDS.stream().map(HexFormat.of()::parseHex).toList();
    }

    @Override
    public void read(byte[] input) {
        if (input.length == 0) {
            return;
        }
        MemorySegment bytes = MemorySegment.ofArray(input).asSlice(1).asReadOnly();
        try {
            switch ((input[0] & 0xff) % 7) {
                case 0 -> avc(AvcConfig.parse(bytes));
                case 1 -> sps(Sps.parse(bytes));
                case 2 -> hevc(HevcConfig.parse(bytes));
                case 3 -> hevcSps(HevcSps.parse(bytes));
                case 4 -> av1(Av1Config.parse(bytes));
                case 5 -> Av1Config.sequenceHeaders(bytes).forEach(VideoConfigFuzzTarget::header);
                default -> header(Av1SequenceHeader.parse(bytes));
            }
        } catch (MalformedMediaException _) {
            // The one exception that callers expect.
        }
    }

    private static void avc(AvcConfig config) {
        frame(config.width(), config.height(), config.frameRate());
        require(config.rfc6381().matches("avc1\\.[0-9a-f]{6}"), config.rfc6381());
        require(config.equals(AvcConfig.parse(config.bytes())), "another value from its bytes");
        List<MemorySegment> sets = config.sequenceParameterSets();
        List<MemorySegment> frames = config.frameParameterSets();
        if (!frames.isEmpty()) {
            AvcConfig written = AvcConfig.of(sets, frames);
            require(same(sets, written.sequenceParameterSets()), "other sequence parameter sets");
            require(same(frames, written.frameParameterSets()), "other frame parameter sets");
        }
        sps(config.sps());
        config.frameParameterSetIds();
    }

    private static void sps(Sps sps) {
        frame(sps.width(), sps.height(), sps.frameRate());
        sequence(sps.sequence());
    }

    private static void hevc(HevcConfig config) {
        frame(config.width(), config.height(), config.frameRate());
        require(config.equals(HevcConfig.parse(config.bytes())), "another value from its bytes");
        require(config.rfc6381().startsWith("hvc1."), config.rfc6381());
        require(config.profileIdc() >= 0 && config.profileIdc() < 32, "profile");
        config.sequenceParameterSets().forEach(set -> hevcSps(HevcSps.parse(set)));
    }

    private static void hevcSps(HevcSps sps) {
        frame(sps.width(), sps.height(), sps.frameRate());
        sequence(sps.sequence());
    }

    private static void av1(Av1Config config) {
        frame(config.width(), config.height(), config.frameRate());
        require(config.equals(Av1Config.parse(config.bytes())), "another value from its bytes");
        require(config.rfc6381().matches("av01\\.\\d\\.\\d\\d[MH]\\.\\d\\d"), config.rfc6381());
        header(config.sequenceHeader());
    }

    private static void header(Av1SequenceHeader header) {
        frame(header.width(), header.height(), header.frameRate());
        sequence(header.sequence());
    }

    private static void frame(int width, int height, double frameRate) {
        require(width >= 1 && width <= VideoSequence.MAX_SIDE, "width " + width);
        require(height >= 1 && height <= VideoSequence.MAX_SIDE, "height " + height);
        require(frameRate >= 0 && frameRate <= 1_000, "frame rate " + frameRate);
    }

    private static void sequence(VideoSequence sequence) {
        require(sequence.bitDepth() >= 8 && sequence.bitDepth() <= 16, sequence.toString());
        require(
                sequence.referenceFrames() >= 0 && sequence.referenceFrames() <= 32,
                sequence.toString());
        require(sequence.frameBytes() > 0, sequence.toString());
    }

    private static boolean same(List<MemorySegment> left, List<MemorySegment> right) {
        return left.size() == right.size()
                && Stream.iterate(0, i -> i < left.size(), i -> i + 1)
                        .allMatch(i -> left.get(i).mismatch(right.get(i)) < 0);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
