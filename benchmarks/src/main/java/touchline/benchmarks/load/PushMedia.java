package touchline.benchmarks.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A source as RTMP chunks with rising timestamps, repeated, with an index from time to position.
 * All senders share one, so that pushing costs little beside the server under test. Immutable.
 */
public final class PushMedia {
    static final int CHUNK_BYTES = 4096;
    static final int MESSAGE_STREAM = 1;

    private static final int VIDEO = 9;

    private final ByteBuffer headers;
    private final ByteBuffer chunks;
    private final long[] timesMs;
    private final int[] ends;
    private final boolean[] keys;
    private final int firstFrameMs;

    private PushMedia(
            ByteBuffer headers,
            ByteBuffer chunks,
            long[] timesMs,
            int[] ends,
            boolean[] keys,
            int firstFrameMs) {
        this.headers = headers;
        this.chunks = chunks;
        this.timesMs = timesMs;
        this.ends = ends;
        this.keys = keys;
        this.firstFrameMs = firstFrameMs;
    }

    /**
     * @param source lasts a whole number of seconds
     * @param loops how often it is repeated
     */
    public static PushMedia of(FlvFile source, int loops) {
        List<FlvFile.Tag> media =
                source.tags().stream()
                        .filter(FlvFile.Tag::isMedia)
                        .sorted(Comparator.comparingInt(FlvFile.Tag::timestampMs))
                        .toList();
        int firstMs = media.getFirst().timestampMs();
        long loopMs = Math.round((media.getLast().timestampMs() - firstMs) / 1000.0) * 1000;
        int loopBytes = media.stream().mapToInt(PushMedia::chunkedBytes).sum();
        ByteBuffer chunks = ByteBuffer.allocateDirect(Math.multiplyExact(loopBytes, loops));
        long[] timesMs = new long[media.size() * loops];
        int[] ends = new int[timesMs.length];
        boolean[] keys = new boolean[timesMs.length];
        for (int i = 0; i < timesMs.length; i++) {
            FlvFile.Tag tag = media.get(i % media.size());
            timesMs[i] = tag.timestampMs() - firstMs + i / media.size() * loopMs;
            write(chunks, tag, timesMs[i]);
            ends[i] = chunks.position();
            keys[i] = tag.isKeyFrame();
        }
        int firstFrameMs =
                media.stream()
                        .filter(tag -> tag.type() == VIDEO)
                        .findFirst()
                        .map(tag -> tag.timestampMs() - firstMs)
                        .orElse(0);
        return new PushMedia(headersOf(source), chunks.flip(), timesMs, ends, keys, firstFrameMs);
    }

    /** Sequence headers, which are sent first. */
    ByteBuffer headers() {
        return headers.duplicate();
    }

    /** Media time of the first frame: AAC starts earlier by the encoder's delay. */
    public int firstFrameMs() {
        return firstFrameMs;
    }

    /**
     * Position of the first key frame that is not due yet.
     *
     * @throws IllegalArgumentException there is none
     */
    int keyFrameAfter(long mediaMs) {
        for (int i = 0; i < timesMs.length; i++) {
            if (keys[i] && timesMs[i] > mediaMs) {
                return i == 0 ? 0 : ends[i - 1];
            }
        }
        throw new IllegalArgumentException("no key frame after " + mediaMs + " ms");
    }

    /** Everything that is due at a media time. */
    ByteBuffer due(long mediaMs, int fromByte) {
        int index = 0;
        int above = timesMs.length;
        while (index < above) {
            int middle = (index + above) >>> 1;
            if (timesMs[middle] <= mediaMs) {
                index = middle + 1;
            } else {
                above = middle;
            }
        }
        int end = index == 0 ? 0 : ends[index - 1];
        return chunks.slice(fromByte, Math.max(0, end - fromByte));
    }

    /** Media time of the last whole message in so many bytes; -1 without one. */
    long timeMs(int bytes) {
        int index = Arrays.binarySearch(ends, bytes);
        int last = index >= 0 ? index : -index - 2;
        return last < 0 ? -1 : timesMs[last];
    }

    private static ByteBuffer headersOf(FlvFile source) {
        List<FlvFile.Tag> headers =
                source.tags().stream().filter(FlvFile.Tag::isSequenceHeader).toList();
        ByteBuffer buffer =
                ByteBuffer.allocate(headers.stream().mapToInt(PushMedia::chunkedBytes).sum());
        headers.forEach(tag -> write(buffer, tag, 0));
        return buffer.flip();
    }

    private static int chunkedBytes(FlvFile.Tag tag) {
        int size = tag.body().remaining();
        return 12 + size + Math.max(0, size - 1) / CHUNK_BYTES;
    }

    private static void write(ByteBuffer to, FlvFile.Tag tag, long timestampMs) {
        int chunkStream = tag.type() == VIDEO ? 6 : 4;
        RtmpSender.chunk(
                to, chunkStream, tag.type(), (int) timestampMs, MESSAGE_STREAM, tag.body());
    }
}
