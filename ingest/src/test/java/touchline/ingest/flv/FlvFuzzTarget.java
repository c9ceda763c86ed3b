package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.codec.NalUnits;
import touchline.testing.fuzz.FuzzInput;
import touchline.testing.fuzz.FuzzTarget;

/**
 * FLV tags of one publication: each a kind (1 byte), a time (2 bytes), a length (2 bytes) and the
 * body. Units belong to announced tracks, are read-only, and hold whole NAL units.
 */
public final class FlvFuzzTarget implements FuzzTarget {
    private static final int MAX_TAGS = 64;
    private static final String AVC =
            "1700000000"
                    + "014d400dffe10019674d400deca0a0cfcf8088000003000800000301e078a14cb001000468ce"
                    + "0fc8";
    private static final String HEVC =
            "9068766331"
                    + "0101600000009000000000005df000fcfdf8f800000f03a00001001840010c01ffff01600000"
                    + "030090000003000003005d959809a10001002b42010101600000030090000003000003005da0"
                    + "0280802d165959a4932bc05a020000030002000003003c10a2000100074401c172b46240";
    private static final String AV1 = "9061763031" + "81050c000a0b0000002d4cffb3c02f8004";
    private static final String OPUS = "904f707573" + "4f707573486561640102380180bb0000000000";

    @Override
    public String name() {
        return "flv";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                bytes(tag(0, 0, AVC), tag(0, 1, "1701000042" + "0000000265b8")),
                bytes(tag(0, 0, AVC.replace("0dffe1", "0dfce1")), tag(0, 1, "2701fffff001419a")),
                bytes(tag(1, 0, "af00119056e500"), tag(1, 21, "af012100")),
                bytes(tag(0, 0, HEVC), tag(0, 9, "9168766331000010" + "000000022601")),
                bytes(tag(0, 0, AV1), tag(0, 9, "9161763031" + "1200" + "0a0132")),
                bytes(tag(1, 0, OPUS), tag(1, 20, "914f707573" + "fc"), tag(2, 0, "03")),
                bytes(tag(1, 5, "2f" + "fffb9064" + "00".repeat(413))),
                // Multitrack with one track, and with many of one codec; a modifier before it.
                bytes(tag(0, 0, "960061766331" + "00" + AVC.substring(10))),
                bytes(tag(0, 0, "961061766331" + "00000002" + "014d" + "01000001" + "00")),
                bytes(tag(1, 0, "970002000190" + "4f707573")));
    }

    @Override
    public void read(byte[] input) {
        Units units = new Units(input.length);
        FlvDemuxer demuxer = new FlvDemuxer(units);
        FuzzInput tags = new FuzzInput(input);
        for (int i = 0; i < MAX_TAGS && tags.hasMore(); i++) {
            int kind = tags.u8();
            int timestampMs = tags.u16();
            MemorySegment body = MemorySegment.ofArray(tags.bytes(tags.u16())).asReadOnly();
            try {
                switch (kind % 3) {
                    case 0 -> demuxer.video(timestampMs, body);
                    case 1 -> demuxer.audio(timestampMs, body);
                    default -> demuxer.expect((timestampMs & 1) != 0, (timestampMs & 2) != 0);
                }
            } catch (MalformedMediaException | UnsupportedCodecException _) {
                // The publication goes on.
            }
        }
    }

    private static final class Units implements FlvDemuxer.Output {
        private final int inputBytes;
        private List<Track> tracks = List.of();

        Units(int inputBytes) {
            this.inputBytes = inputBytes;
        }

        @Override
        public void begin(List<Track> begun) {
            require(!begun.isEmpty() && begun.size() <= 2, "tracks: " + begun);
            tracks = List.copyOf(begun);
        }

        @Override
        public void write(AccessUnit unit) {
            MemorySegment payload = unit.payload();
            require(tracks.contains(unit.track()), "unit of a track that was not announced");
            require(payload.isReadOnly(), "payload can be written");
            require(payload.byteSize() > 0, "empty unit");
            // A length of one byte becomes a length of four.
            require(payload.byteSize() <= 4L * inputBytes, "payload: " + payload.byteSize());
            if (unit.track().codec() instanceof CodecConfig.Avc
                    || unit.track().codec() instanceof CodecConfig.Hevc) {
                for (MemorySegment nal : NalUnits.ofLengthPrefixed(payload, 4)) {
                    require(nal.byteSize() > 0, "empty NAL unit");
                    nal.get(ValueLayout.JAVA_BYTE, nal.byteSize() - 1);
                }
            }
        }

        private static void require(boolean holds, String otherwise) {
            if (!holds) {
                throw new AssertionError(otherwise);
            }
        }
    }

    /**
     * @param kind 0 video, 1 audio, 2 metadata
     */
    private static String tag(int kind, int timestampMs, String body) {
        return "%02x%04x%04x%s".formatted(kind, timestampMs, body.length() / 2, body);
    }

    private static byte[] bytes(String... tags) {
        return HexFormat.of().parseHex(String.join("", tags));
    }
}
