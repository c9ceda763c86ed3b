package touchline.media.decoding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.FrameView;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerException.Failure;
import touchline.media.worker.WorkerJob;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerPool;

/**
 * A child process with its decoders, and the server's ends of the two files between them. The
 * server reads frames by calls, not from a mapping: a child that shortens the file causes an error,
 * not a signal. Requests of several decoders take turns. Any thread; calls block.
 */
final class DecodingChild implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DecodingChild.class);

    /** Includes the start of the JVM. */
    private static final Duration START = Duration.ofSeconds(30);

    private static final Set<StandardOpenOption> CREATE_TO_READ =
            Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);

    private static final int MAX_STRIDE_BYTES = 2 * FrameFormat.MAX_SIDE;

    private final WorkerPool.Lease lease;
    private final Duration deadline;
    private final long startNs;
    private final FileChannel in;
    private final FileChannel out;
    private final ReentrantLock turn = new ReentrantLock();

    private DecodingChild(
            WorkerPool.Lease lease, Duration deadline, FileChannel in, FileChannel out) {
        this.lease = lease;
        this.deadline = deadline;
        this.startNs = System.nanoTime();
        this.in = in;
        this.out = out;
    }

    /**
     * @param deadline of a request
     * @throws IOException the process cannot be started or reached
     */
    static DecodingChild start(WorkerPool workers, Duration deadline) throws IOException {
        WorkerPool.Lease lease = workers.lease();
        Path in = lease.process().folder().resolve("in");
        Path out = lease.process().folder().resolve("out");
        FileChannel input = null;
        FileChannel output = null;
        try {
            // The server creates both, so that it follows no link of the child.
            input = FileChannel.open(in, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            output = FileChannel.open(out, CREATE_TO_READ);
            ObjectNode files = request("files").put("in", in.toString()).put("out", out.toString());
            JsonNode _ =
                    lease.process().run(new WorkerJob(DecodeHandler.KIND, files, START), _ -> {});
            return new DecodingChild(lease, deadline, input, output);
        } catch (WorkerException e) {
            abandon(lease, input, output);
            throw new IOException(e.getMessage(), e);
        } catch (IOException e) {
            abandon(lease, input, output);
            throw e;
        }
    }

    private static void abandon(
            WorkerPool.Lease lease, @Nullable FileChannel input, @Nullable FileChannel output)
            throws IOException {
        lease.process().cancel();
        lease.close();
        if (input != null) {
            input.close();
        }
        if (output != null) {
            output.close();
        }
    }

    static ObjectNode request(String operation) {
        return JsonNodeFactory.instance.objectNode().put("op", operation);
    }

    long pid() {
        return lease.process().pid();
    }

    boolean isAlive() {
        return lease.process().isAlive();
    }

    long livedNs() {
        return System.nanoTime() - startNs;
    }

    /** What a request returns. */
    record Reply(int used, Optional<VideoFrame> frame, long cpuNs) {}

    /**
     * Runs a request.
     *
     * @param bytes written to the child's input, one behind the other
     * @throws MalformedMediaException the child found invalid media
     * @throws DecodingFailedException the child failed or ended
     */
    Reply run(ObjectNode request, Iterable<MemorySegment> bytes) {
        turn.lock();
        try {
            if (!isAlive()) {
                throw new DecodingFailedException("the decoding process has ended", false);
            }
            long position = 0;
            for (MemorySegment each : bytes) {
                write(each.asByteBuffer(), position);
                position += each.byteSize();
            }
            JsonNode reply =
                    lease.process()
                            .run(new WorkerJob(DecodeHandler.KIND, request, deadline), _ -> {});
            return new Reply(
                    reply.path("used").asInt(),
                    reply.has("frame") ? Optional.of(frame(reply.path("frame"))) : Optional.empty(),
                    Math.max(0, reply.path("cpu_ns").asLong()));
        } catch (WorkerException e) {
            throw failed(e.failure());
        } catch (IOException | IllegalArgumentException e) {
            log.warn("decoding process pid={}: {}", pid(), e.toString());
            lease.process().cancel();
            throw new DecodingFailedException("files: " + e.getMessage(), true);
        } finally {
            turn.unlock();
        }
    }

    private void write(ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += in.write(bytes, at);
        }
    }

    private static RuntimeException failed(Failure failure) {
        return switch (failure) {
            case Failure.Reported(int code, String message)
                    when code == WorkerJobException.INVALID_INPUT ->
                    new MalformedMediaException(message);
            case Failure.Reported(_, String message) -> new DecodingFailedException(message, true);
            case Failure.Died died ->
                    new DecodingFailedException(
                            died.outOfMemory()
                                    ? "the decoding process ran out of memory"
                                    : "the decoding process ended with status " + died.exit(),
                            true);
            case Failure.TimedOut(Duration limit) ->
                    new DecodingFailedException("decoding took longer than " + limit, true);
            case Failure.Unreadable _ ->
                    new DecodingFailedException("the decoding process answered nonsense", true);
            case Failure.Canceled _ -> new DecodingFailedException("decoding was cancelled", false);
        };
    }

    private VideoFrame frame(JsonNode given) throws IOException {
        FrameFormat format =
                new FrameFormat(
                        given.path("width").asInt(),
                        given.path("height").asInt(),
                        new Colour(
                                given.path("primaries").asInt(),
                                given.path("transfer").asInt(),
                                given.path("matrix").asInt(),
                                given.path("full_range").asBoolean()));
        VideoFrame frame = VideoFrame.allocate(format);
        try {
            frame.ptsTicks(given.path("pts").asLong());
            frame.sampleAspect(given.path("aspect").asDouble());
            fill(frame, given.path("strides"));
            return frame;
        } catch (IOException | RuntimeException e) {
            frame.close();
            throw e;
        }
    }

    /** Reads whole planes where rows have the same padding here, otherwise row by row. */
    private void fill(VideoFrame frame, JsonNode strides) throws IOException {
        FrameFormat format = frame.format();
        long position = 0;
        for (int i = 0; i < frame.planes().size(); i++) {
            FrameView.Plane plane = frame.planes().get(i);
            int rowBytes = i == 0 ? format.width() : format.chromaWidth();
            int rows = i == 0 ? format.height() : format.chromaHeight();
            int stride = strides.path(i).asInt();
            if (stride < rowBytes || stride > MAX_STRIDE_BYTES) {
                throw new IllegalArgumentException(
                        "stride: %d (expected: %d to %d)"
                                .formatted(stride, rowBytes, MAX_STRIDE_BYTES));
            }
            if (stride == plane.strideBytes()) {
                read(plane.samples(), position);
            } else {
                for (int row = 0; row < rows; row++) {
                    read(
                            plane.samples().asSlice((long) row * plane.strideBytes(), rowBytes),
                            position + (long) row * stride);
                }
            }
            position += (long) stride * (rows - 1) + rowBytes;
        }
    }

    private void read(MemorySegment into, long position) throws IOException {
        ByteBuffer buffer = into.asByteBuffer();
        while (buffer.hasRemaining()) {
            if (out.read(buffer, position + buffer.position()) < 0) {
                throw new EOFException("decoded frame");
            }
        }
    }

    /** Ends the process; a busy one is killed. */
    @Override
    public void close() {
        lease.process().close();
        lease.close();
        try {
            in.close();
            out.close();
        } catch (IOException e) {
            log.debug("decoding process pid={}: {}", pid(), e.getMessage());
        }
    }
}
