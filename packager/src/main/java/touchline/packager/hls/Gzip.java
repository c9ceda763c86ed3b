package touchline.packager.hls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses playlists, with pooled compressors: each holds a quarter of a megabyte, and clearing
 * that costs more than compressing a playlist. Uses the fastest level: a playlist is compressed
 * four times a second, and every level compresses its similar lines well. Any thread.
 *
 * <p>Source: RFC 1952, 2.3.
 */
final class Gzip {
    /** Deflate, no flags, no time, unknown system. */
    private static final byte[] HEADER = {
        0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff
    };

    private static final int TRAILER_BYTES = 8;

    /** As many as can work at once on the carriers of virtual threads. */
    private static final BlockingQueue<Deflater> IDLE =
            new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

    private Gzip() {}

    static byte[] of(byte[] plain) {
        Deflater pooled = IDLE.poll();
        Deflater deflater =
                pooled != null ? pooled : new Deflater(Deflater.BEST_SPEED, /* nowrap= */ true);
        byte[] packed;
        try {
            packed = deflate(deflater, plain);
        } catch (RuntimeException e) {
            deflater.end();
            throw e;
        }
        deflater.reset();
        if (!IDLE.offer(deflater)) {
            deflater.end();
        }
        return packed;
    }

    private static byte[] deflate(Deflater deflater, byte[] plain) {
        deflater.setInput(plain);
        deflater.finish();
        byte[] out = Arrays.copyOf(HEADER, HEADER.length + 64 + plain.length / 3 + TRAILER_BYTES);
        int size = HEADER.length;
        while (!deflater.finished()) {
            if (out.length - size <= TRAILER_BYTES) {
                out = Arrays.copyOf(out, out.length * 2);
            }
            size += deflater.deflate(out, size, out.length - size - TRAILER_BYTES);
        }
        CRC32 sum = new CRC32();
        sum.update(plain);
        ByteBuffer.wrap(out, size, TRAILER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) sum.getValue())
                .putInt(plain.length);
        return Arrays.copyOf(out, size + TRAILER_BYTES);
    }
}
