package touchline.benchmarks.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A source as one string of RTMP chunks with running timestamps, looped, and an index from time to
 * position: made once, shared by all senders, so that pushing costs next to nothing beside the
 * server under test.
 */
public final class PushMedia {
    static final int CHUNK_BYTES = 4096;

    private final ByteBuffer headers;
    private final ByteBuffer blob;
    private final long[] timesMs;
    private final int[] ends;

    private PushMedia(ByteBuffer headers, ByteBuffer blob, long[] timesMs, int[] ends) {
        this.headers = headers;
        this.blob = blob;
        this.timesMs = timesMs;
        this.ends = ends;
    }

    /**
     * @param loops how often the source is repeated; its length must be a whole number of seconds
     */
    public static PushMedia of(FlvFile source, int loops, int messageStreamId) {
        List<FlvFile.Tag> media =
                source.tags().stream()
                        .filter(FlvFile.Tag::isMedia)
                        .sorted(Comparator.comparingInt(FlvFile.Tag::timestampMs))
                        .toList();
        long firstMs = media.getFirst().timestampMs();
        long loopMs = Math.round((media.getLast().timestampMs() - firstMs) / 1000.0) * 1000;
        int bytesOfLoop = media.stream().mapToInt(PushMedia::chunkedBytes).sum();
        ByteBuffer blob = ByteBuffer.allocateDirect(Math.multiplyExact(bytesOfLoop, loops));
        long[] timesMs = new long[media.size() * loops];
        int[] ends = new int[timesMs.length];
        for (int i = 0; i < timesMs.length; i++) {
            FlvFile.Tag tag = media.get(i % media.size());
            timesMs[i] = tag.timestampMs() - firstMs + i / media.size() * loopMs;
            write(blob, tag, timesMs[i], messageStreamId);
            ends[i] = blob.position();
        }
        return new PushMedia(headersOf(source, messageStreamId), blob.flip(), timesMs, ends);
    }

    /** Sequence headers: to be sent first. */
    ByteBuffer headers() {
        return headers.duplicate();
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
        return blob.slice(fromByte, Math.max(0, end - fromByte));
    }

    /** Media time up to which so many bytes hold whole messages; -1 where they hold none. */
    long timeMs(int bytes) {
        int index = Arrays.binarySearch(ends, bytes);
        int last = index >= 0 ? index : -index - 2;
        return last < 0 ? -1 : timesMs[last];
    }

    private static ByteBuffer headersOf(FlvFile source, int messageStreamId) {
        List<FlvFile.Tag> headers =
                source.tags().stream().filter(FlvFile.Tag::isSequenceHeader).toList();
        ByteBuffer buffer =
                ByteBuffer.allocate(headers.stream().mapToInt(PushMedia::chunkedBytes).sum());
        headers.forEach(tag -> write(buffer, tag, 0, messageStreamId));
        return buffer.flip();
    }

    private static int chunkedBytes(FlvFile.Tag tag) {
        int size = tag.body().remaining();
        return 12 + size + Math.max(0, size - 1) / CHUNK_BYTES;
    }

    /** One message as a type 0 chunk and its type 3 continuations (RTMP 1.0, 5.3.1). */
    private static void write(
            ByteBuffer to, FlvFile.Tag tag, long timestampMs, int messageStreamId) {
        int chunkStream = tag.type() == 9 ? 6 : 4;
        RtmpSender.chunk(
                to, chunkStream, tag.type(), (int) timestampMs, messageStreamId, tag.body());
    }
}
