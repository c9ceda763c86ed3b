package touchline.media.decoding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.Av1Config;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.HevcConfig;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.worker.WorkerHandler;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerProgress;

/**
 * Job kind {@value #KIND}, in the child process: keeps decoders, and answers each request with at
 * most one frame. Bytes come and go by {@link ChildFiles}. The main thread of the child.
 *
 * <pre>
 *   {"op": "files", "in": PATH, "out": PATH}       a server begins; earlier decoders are closed
 *   {"op": "check"}                                nothing to do
 *   {"op": "open", "decoder": 1, "codec": "avc", "timescale": 90000, "bytes": 40}
 *   {"op": "key" | "first" | "rest" | "keep" | "last", "decoder": 1, "flush": true,
 *    "from_us": 0, "except_us": 0, "units": [[DTS, OFFSET, IDR, BYTES], ...]}
 *   {"op": "close", "decoder": 1}
 * </pre>
 */
public final class DecodeHandler implements WorkerHandler {
    public static final String KIND = "decode";

    /** The codecs by their names in a request. */
    enum Codec {
        AVC,
        HEVC,
        AV1
    }

    private record Open(Track track, LocalGopDecoder decoder) {}

    private final Map<Long, Open> decoders = new HashMap<>();
    private @Nullable ChildFiles files;

    @Override
    public JsonNode handle(JsonNode body, WorkerProgress progress) throws Exception {
        long startNs = cpuNs();
        ObjectNode reply = JsonNodeFactory.instance.objectNode();
        try {
            switch (body.path("op").asText()) {
                case "files" -> begin(body);
                case "check" -> {}
                case "open" -> open(body);
                case "close" -> close(body.path("decoder").asLong());
                default -> decode(body, reply);
            }
        } catch (MalformedMediaException e) {
            throw new WorkerJobException(
                    WorkerJobException.INVALID_INPUT, String.valueOf(e.getMessage()));
        }
        return reply.put("cpu_ns", cpuNs() - startNs);
    }

    private static long cpuNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void begin(JsonNode body) throws IOException {
        decoders.values().forEach(open -> open.decoder().close());
        decoders.clear();
        ChildFiles before = files;
        if (before != null) {
            before.close();
        }
        files =
                ChildFiles.open(
                        Path.of(body.path("in").asText()), Path.of(body.path("out").asText()));
    }

    private ChildFiles files() {
        ChildFiles open = files;
        if (open == null) {
            throw new IllegalStateException("no files");
        }
        return open;
    }

    private void open(JsonNode body) throws IOException {
        MemorySegment bytes = files().read(0, body.path("bytes").asInt());
        CodecConfig config =
                switch (Codec.valueOf(body.path("codec").asText())) {
                    case AVC -> new CodecConfig.Avc(AvcConfig.parse(bytes));
                    case HEVC -> new CodecConfig.Hevc(HevcConfig.parse(bytes));
                    case AV1 -> new CodecConfig.Av1(Av1Config.parse(bytes));
                };
        Track track =
                new Track(Track.VIDEO_ID, new Timescale(body.path("timescale").asInt()), config);
        decoders.put(body.path("decoder").asLong(), new Open(track, LocalGopDecoder.open(track)));
    }

    private void close(long id) {
        Open open = decoders.remove(id);
        if (open != null) {
            open.decoder().close();
        }
    }

    private void decode(JsonNode body, ObjectNode reply) throws IOException {
        Open open = decoders.get(body.path("decoder").asLong());
        if (open == null) {
            throw new IllegalStateException("no such decoder");
        }
        LocalGopDecoder decoder = open.decoder();
        if (body.path("flush").asBoolean()) {
            decoder.flush();
        }
        List<AccessUnit> units = units(open.track(), body.path("units"));
        Optional<VideoFrame> frame =
                switch (body.path("op").asText()) {
                    case "key" -> decoder.keyFrame(units.getFirst());
                    case "rest" -> decoder.rest(wanted(body));
                    case "last" -> decoder.last(units);
                    case "keep" -> {
                        decoder.keepLatest(units);
                        yield Optional.empty();
                    }
                    default -> {
                        GopDecoder.Found found = decoder.first(units, wanted(body));
                        reply.put("used", found.used());
                        yield found.frame();
                    }
                };
        if (frame.isPresent()) {
            try (VideoFrame decoded = frame.get()) {
                reply.set("frame", files().write(decoded));
            }
        }
    }

    private static GopDecoder.Wanted wanted(JsonNode body) {
        JsonNode except = body.path("except_us");
        return new GopDecoder.Wanted(
                body.path("from_us").asLong(),
                except.isMissingNode() ? OptionalLong.empty() : OptionalLong.of(except.asLong()));
    }

    private List<AccessUnit> units(Track track, JsonNode given) throws IOException {
        List<AccessUnit> units = new ArrayList<>(given.size());
        long position = 0;
        for (JsonNode unit : given) {
            int sizeBytes = unit.path(3).asInt();
            units.add(
                    new AccessUnit(
                            track,
                            unit.path(0).asLong(),
                            unit.path(1).asInt(),
                            unit.path(2).asBoolean(),
                            files().read(position, sizeBytes)));
            position += sizeBytes;
        }
        return units;
    }
}
