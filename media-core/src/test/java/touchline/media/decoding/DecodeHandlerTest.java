package touchline.media.decoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FrameView;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.DecoderMemory;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.worker.WorkerJobException;
import touchline.testing.CodecRecords;

/** The child's side of isolated decoding, in this process. */
final class DecodeHandlerTest {
    /** Rows of these frames have padding in memory. */
    private static final FrameFormat FORMAT = new FrameFormat(166, 122, Colour.BT709);

    private static final List<AccessUnit> UNITS = video(FORMAT, 12);

    private final long usedBefore = DecoderMemory.usedBytes();
    private final DecodeHandler handler = new DecodeHandler();

    @TempDir Path folder;

    private Path in;
    private Path out;

    @BeforeEach
    void begin() throws Exception {
        in = Files.createFile(folder.resolve("in"));
        out = Files.createFile(folder.resolve("out"));
        assertTrue(files().has("cpu_ns"));
    }

    /** The next server begins: its files replace these, and no decoder stays open. */
    @AfterEach
    void nothingIsHeld() throws Exception {
        JsonNode _ = files();
        assertEquals(usedBefore, DecoderMemory.usedBytes());
    }

    private static List<AccessUnit> video(FrameFormat format, int frames) {
        return TestMedia.video(
                VideoSettings.live(format, FrameRate.of(25), TestMedia.encoder()), frames);
    }

    private static ObjectNode request(String operation) {
        return JsonNodeFactory.instance.objectNode().put("op", operation).put("decoder", 7);
    }

    private JsonNode handle(ObjectNode request) throws Exception {
        return handler.handle(request, _ -> {});
    }

    private JsonNode files() throws Exception {
        return handle(request("files").put("in", in.toString()).put("out", out.toString()));
    }

    private JsonNode open(String codec, MemorySegment config) throws Exception {
        Files.write(in, config.toArray(ValueLayout.JAVA_BYTE));
        return handle(
                request("open")
                        .put("codec", codec)
                        .put("timescale", 90_000)
                        .put("bytes", config.byteSize()));
    }

    private void open(Track track) throws Exception {
        AvcConfig config = ((CodecConfig.Avc) track.codec()).config();
        JsonNode _ = open("AVC", config.bytes());
    }

    /** Sends units as the server does: their bytes one behind the other in the file. */
    private JsonNode send(ObjectNode request, List<AccessUnit> units) throws Exception {
        ArrayNode described = request.putArray("units");
        var bytes = new ByteArrayOutputStream();
        for (AccessUnit unit : units) {
            byte[] payload = unit.payload().toArray(ValueLayout.JAVA_BYTE);
            bytes.writeBytes(payload);
            described
                    .addArray()
                    .add(unit.dtsTicks())
                    .add(unit.compositionTimeOffsetTicks())
                    .add(unit.idr())
                    .add(payload.length);
        }
        Files.write(in, bytes.toByteArray());
        return handle(request);
    }

    /** The luma rows of the frame in the file, without their padding. */
    private List<String> luma(JsonNode frame) throws Exception {
        byte[] bytes = Files.readAllBytes(out);
        int stride = frame.path("strides").path(0).asInt();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < frame.path("height").asInt(); row++) {
            int start = row * stride;
            rows.add(HexFormat.of().formatHex(bytes, start, start + frame.path("width").asInt()));
        }
        return rows;
    }

    private static List<String> luma(Optional<VideoFrame> given) {
        try (VideoFrame frame = given.orElseThrow()) {
            FrameView.Plane plane = frame.planes().getFirst();
            List<String> rows = new ArrayList<>();
            for (int row = 0; row < frame.format().height(); row++) {
                byte[] bytes =
                        plane.samples()
                                .asSlice((long) row * plane.strideBytes(), frame.format().width())
                                .toArray(ValueLayout.JAVA_BYTE);
                rows.add(HexFormat.of().formatHex(bytes));
            }
            return rows;
        }
    }

    @Test
    void key_avc_writesTheFrameAndItsDescription() throws Exception {
        open(UNITS.getFirst().track());

        JsonNode frame = send(request("key"), UNITS.subList(0, 1)).path("frame");

        assertEquals(166, frame.path("width").asInt());
        assertEquals(122, frame.path("height").asInt());
        assertEquals(1, frame.path("matrix").asInt());
        assertEquals(1, frame.path("primaries").asInt());
        assertEquals(1, frame.path("transfer").asInt());
        assertFalse(frame.path("full_range").asBoolean());
        assertEquals(1.0, frame.path("aspect").asDouble());
        assertEquals(0, frame.path("pts").asLong());
        assertEquals(3, frame.path("strides").size());
        try (GopDecoder local = GopDecoders.LOCAL.open(UNITS.getFirst().track(), "test")) {
            assertEquals(luma(local.keyFrame(UNITS.getFirst())), luma(frame));
        }
    }

    @Test
    void first_fromATime_saysHowManyUnitsItUsed() throws Exception {
        open(UNITS.getFirst().track());
        ObjectNode request = request("first").put("flush", true).put("from_us", 200_000);

        JsonNode reply = send(request, UNITS);

        try (GopDecoder local = GopDecoders.LOCAL.open(UNITS.getFirst().track(), "test")) {
            GopDecoder.Found expected =
                    local.first(UNITS, new GopDecoder.Wanted(200_000, OptionalLong.empty()));
            assertEquals(expected.used(), reply.path("used").asInt());
            assertEquals(luma(expected.frame()), luma(reply.path("frame")));
        }
        assertEquals(18_000, reply.path("frame").path("pts").asLong());
    }

    @Test
    void first_exceptOfThatTime_isTheNextFrame() throws Exception {
        open(UNITS.getFirst().track());
        ObjectNode request =
                request("first")
                        .put("flush", true)
                        .put("from_us", 200_000)
                        .put("except_us", 200_000);

        assertEquals(21_600, send(request, UNITS).path("frame").path("pts").asLong());
    }

    @Test
    void keep_thenLast_isTheLastFrameOfBoth() throws Exception {
        open(UNITS.getFirst().track());
        JsonNode kept = send(request("keep").put("flush", true), UNITS.subList(0, 8));

        JsonNode last = send(request("last"), UNITS.subList(8, 12));

        assertFalse(kept.has("frame"));
        assertEquals(11 * 3_600, last.path("frame").path("pts").asLong());
    }

    @Test
    void rest_afterTheLastUnit_hasNoFrameLeft() throws Exception {
        open(UNITS.getFirst().track());
        JsonNode _ = send(request("first").put("from_us", 10_000_000), UNITS);

        JsonNode reply = handle(request("rest").put("from_us", 10_000_000));

        assertFalse(reply.has("frame"));
        assertTrue(reply.has("cpu_ns"));
    }

    /** The mapping of the file grows with the frame. */
    @Test
    void key_ofALargerVideo_isWrittenWhole() throws Exception {
        open(UNITS.getFirst().track());
        JsonNode small = send(request("key"), UNITS.subList(0, 1)).path("frame");
        JsonNode _ = handle(request("close"));
        List<AccessUnit> larger = video(new FrameFormat(322, 242, Colour.BT709), 1);
        open(larger.getFirst().track());

        JsonNode large = send(request("key"), larger).path("frame");

        assertEquals(322, large.path("width").asInt());
        assertTrue(large.path("strides").path(0).asInt() > small.path("strides").path(0).asInt());
        try (GopDecoder local = GopDecoders.LOCAL.open(larger.getFirst().track(), "test")) {
            assertEquals(luma(local.keyFrame(larger.getFirst())), luma(large));
        }
    }

    @ParameterizedTest
    @CsvSource({"HEVC," + CodecRecords.HEVC_720P30, "AV1," + CodecRecords.AV1_720P})
    void open_otherCodecs_takesMemoryUntilTheyAreClosed(String codec, String config)
            throws Exception {
        JsonNode _ = open(codec, MemorySegment.ofArray(HexFormat.of().parseHex(config)));
        assertTrue(DecoderMemory.usedBytes() > usedBefore);

        JsonNode _ = handle(request("close"));
        JsonNode _ = handle(request("close"));

        assertEquals(usedBefore, DecoderMemory.usedBytes());
    }

    @Test
    void files_again_closesTheDecodersOfTheServerBefore() throws Exception {
        open(UNITS.getFirst().track());

        JsonNode _ = files();

        assertEquals(usedBefore, DecoderMemory.usedBytes());
        var lost =
                assertThrows(
                        IllegalStateException.class,
                        () -> send(request("key"), UNITS.subList(0, 1)));
        assertEquals("no such decoder", lost.getMessage());
    }

    @Test
    void open_malformedConfiguration_isInvalidInput() {
        var refused =
                assertThrows(
                        WorkerJobException.class,
                        () -> open("AVC", MemorySegment.ofArray(new byte[] {1, 100})));

        assertEquals(WorkerJobException.INVALID_INPUT, refused.code());
    }

    @Test
    void key_unitThatIsNoVideo_isInvalidInput_theNextOneIsDecoded() throws Exception {
        Track track = UNITS.getFirst().track();
        open(track);
        AccessUnit broken =
                new AccessUnit(
                        track, 0, 0, true, MemorySegment.ofArray(new byte[] {0, 0, 0, 9, 1}));

        var refused =
                assertThrows(WorkerJobException.class, () -> send(request("key"), List.of(broken)));

        assertEquals(WorkerJobException.INVALID_INPUT, refused.code());
        assertTrue(send(request("key"), UNITS.subList(0, 1)).has("frame"));
    }

    @Test
    void key_moreBytesThanTheFileHas_endsTheRequest() throws Exception {
        open(UNITS.getFirst().track());
        ObjectNode request = request("key");
        request.putArray("units").addArray().add(0).add(0).add(true).add(1_000_000);

        var ended = assertThrows(EOFException.class, () -> handle(request));

        assertEquals("coded media", ended.getMessage());
    }

    @Test
    void open_beforeFiles_isAnErrorOfTheServer() {
        ObjectNode request = request("open").put("codec", "AVC").put("bytes", 4);

        var refused =
                assertThrows(
                        IllegalStateException.class,
                        () -> new DecodeHandler().handle(request, _ -> {}));

        assertEquals("no files", refused.getMessage());
    }

    @Test
    void files_thatAreMissing_areRefused() {
        ObjectNode request =
                request("files")
                        .put("in", in.toString())
                        .put("out", folder.resolve("none").toString());

        assertThrows(NoSuchFileException.class, () -> handle(request));
    }
}
