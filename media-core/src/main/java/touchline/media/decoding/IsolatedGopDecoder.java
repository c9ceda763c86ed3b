package touchline.media.decoding;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.DecoderAdmission;
import touchline.media.ffmpeg.VideoFrame;

/**
 * A decoder in a child process. Reads all headers before the child gets them, so that the memory of
 * this decoder counts like that of any other. Long GOPs go in pieces, between which other decoders
 * of the child have their turn.
 */
final class IsolatedGopDecoder implements GopDecoder {
    private static final AtomicLong IDS = new AtomicLong();

    /** A request fits the pipe: see the limit of the worker's requests. */
    private static final int MAX_UNITS = 128;

    private static final long PIECE_BYTES = 4L << 20;
    private static final long MAX_UNIT_BYTES = 32L << 20;

    private final long id = IDS.incrementAndGet();
    private final Track track;
    private final ChildSlot slot;
    private final DecoderAdmission admission;

    private @Nullable DecodingChild child;
    private long takenBytes;
    private long remoteCpuNs;
    private boolean flushed;
    private boolean closed;

    private IsolatedGopDecoder(Track track, DecoderAdmission admission, ChildSlot slot) {
        this.track = track;
        this.admission = admission;
        this.slot = slot;
        slot.enter();
    }

    static IsolatedGopDecoder open(Track track, ChildSlot slot) {
        IsolatedGopDecoder decoder =
                new IsolatedGopDecoder(track, DecoderAdmission.of(track, /* threads= */ 1), slot);
        try {
            decoder.takeMemory();
            return decoder;
        } catch (RuntimeException e) {
            decoder.close();
            throw e;
        }
    }

    @Override
    public Optional<VideoFrame> keyFrame(AccessUnit unit) {
        flushed = true;
        return run(request("key"), List.of(unit)).frame();
    }

    @Override
    public void flush() {
        flushed = true;
    }

    @Override
    public Found first(List<AccessUnit> units, Wanted wanted) {
        int used = 0;
        while (used < units.size()) {
            List<AccessUnit> piece = piece(units, used);
            DecodingChild.Reply reply = run(request("first", wanted), piece);
            used += Math.clamp(reply.used(), 1, piece.size());
            if (reply.frame().isPresent()) {
                return new Found(used, reply.frame());
            }
        }
        return new Found(used, Optional.empty());
    }

    @Override
    public Optional<VideoFrame> rest(Wanted wanted) {
        return run(request("rest", wanted), List.of()).frame();
    }

    @Override
    public Optional<VideoFrame> last(List<AccessUnit> units) {
        int used = 0;
        List<AccessUnit> piece = piece(units, used);
        while (used + piece.size() < units.size()) {
            used += piece.size();
            DecodingChild.Reply _ = run(request("keep"), piece);
            piece = piece(units, used);
        }
        return run(request("last"), piece).frame();
    }

    @Override
    public long remoteCpuNs() {
        return remoteCpuNs;
    }

    private static List<AccessUnit> piece(List<AccessUnit> units, int from) {
        int to = from;
        long bytes = 0;
        while (to < units.size() && to - from < MAX_UNITS) {
            bytes += units.get(to).payload().byteSize();
            if (to > from && bytes > PIECE_BYTES) {
                break;
            }
            to++;
        }
        return units.subList(from, to);
    }

    private ObjectNode request(String operation, Wanted wanted) {
        ObjectNode request = request(operation).put("from_us", wanted.fromUs());
        wanted.exceptUs().ifPresent(us -> request.put("except_us", us));
        return request;
    }

    private ObjectNode request(String operation) {
        return DecodingChild.request(operation).put("decoder", id);
    }

    private DecodingChild.Reply run(ObjectNode request, List<AccessUnit> units) {
        List<MemorySegment> bytes = new ArrayList<>(units.size());
        ArrayNode described = request.putArray("units");
        for (AccessUnit unit : units) {
            MemorySegment payload = unit.payload();
            if (payload.byteSize() > MAX_UNIT_BYTES) {
                throw new MalformedMediaException(
                        "access unit: %d bytes (expected: at most %d)"
                                .formatted(payload.byteSize(), MAX_UNIT_BYTES));
            }
            admission.admit(unit);
            bytes.add(payload);
            described
                    .addArray()
                    .add(unit.dtsTicks())
                    .add(unit.compositionTimeOffsetTicks())
                    .add(unit.idr())
                    .add(payload.byteSize());
        }
        takeMemory();
        DecodingChild running = child();
        if (flushed) {
            request.put("flush", true);
            flushed = false;
        }
        return run(running, request, bytes);
    }

    private DecodingChild.Reply run(
            DecodingChild running, ObjectNode request, List<MemorySegment> bytes) {
        try {
            DecodingChild.Reply reply = running.run(request, bytes);
            remoteCpuNs += reply.cpuNs();
            return reply;
        } catch (DecodingFailedException e) {
            slot.failed(running, e);
            throw e;
        }
    }

    /** The child that has this decoder. One that has ended is not replaced: the GOP is lost. */
    private DecodingChild child() {
        DecodingChild running = child;
        if (running == null) {
            running = slot.child();
            child = running;
            check(running);
            openIn(running);
        }
        return running;
    }

    /**
     * Waits until the child answers. One that has ended, which this side may not know yet, is no
     * fault of the media that comes next.
     */
    private void check(DecodingChild running) {
        try {
            DecodingChild.Reply _ = run(running, DecodingChild.request("check"), List.of());
        } catch (DecodingFailedException e) {
            throw new DecodingFailedException(String.valueOf(e.getMessage()), false);
        }
    }

    private void openIn(DecodingChild running) {
        MemorySegment config =
                switch (track.codec()) {
                    case CodecConfig.Avc(var avc) -> avc.bytes();
                    case CodecConfig.Hevc(var hevc) -> hevc.bytes();
                    case CodecConfig.Av1(var av1) -> av1.bytes();
                    case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ ->
                            throw new IllegalArgumentException("not a video track");
                };
        ObjectNode request =
                request("open")
                        .put("codec", name(track.codec()).name())
                        .put("timescale", track.timescale().ticksPerSecond())
                        .put("bytes", config.byteSize());
        DecodingChild.Reply _ = run(running, request, List.of(config));
        // The first decoder of a child loads the libraries, which is no cost of this media.
        remoteCpuNs = 0;
    }

    private static DecodeHandler.Codec name(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Avc _ -> DecodeHandler.Codec.AVC;
            case CodecConfig.Hevc _ -> DecodeHandler.Codec.HEVC;
            case CodecConfig.Av1 _ -> DecodeHandler.Codec.AV1;
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ ->
                    throw new IllegalArgumentException("not a video track");
        };
    }

    private void takeMemory() {
        long more = admission.bytes() - takenBytes;
        if (more > 0) {
            slot.require(more);
            takenBytes += more;
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        DecodingChild running = child;
        if (running != null && running.isAlive()) {
            try {
                DecodingChild.Reply _ = run(running, request("close"), List.of());
            } catch (DecodingFailedException | MalformedMediaException _) {
                // The child has ended, and the decoder with it.
            }
        }
        slot.require(-takenBytes);
        admission.close();
        slot.leave();
    }
}
