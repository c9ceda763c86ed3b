package touchline.benchmarks.assets;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.load.ProcessUsage;

/**
 * One download, as fast as it goes.
 *
 * @param bytes of the body
 * @param firstByteMs until the first byte of the answer
 * @param cpuSeconds of the server
 */
record Download(long bytes, double firstByteMs, double cpuSeconds) {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final String LENGTH = "content-length: ";

    double megabytesPerCpuSecond() {
        return bytes / 1e6 / cpuSeconds;
    }

    /** Throws the bytes away. */
    static Download drain(URI address, ProcessHandle server) throws IOException {
        double before = ProcessUsage.of(server).cpuSeconds();
        Download download = fetch(address, null);
        double used = ProcessUsage.of(server).cpuSeconds() - before;
        return new Download(download.bytes(), download.firstByteMs(), used);
    }

    /** Keeps the bytes. */
    static void to(URI address, Path file) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            fetch(address, out);
        }
    }

    private static Download fetch(URI address, @Nullable FileChannel out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(address.getHost(), address.getPort()))) {
            long startNs = System.nanoTime();
            channel.write(
                    StandardCharsets.US_ASCII.encode(
                            "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                    .formatted(address.getPath())));
            int end = -1;
            while (end < 0) {
                if (channel.read(buffer) < 0) {
                    throw new IOException(address + ": no answer");
                }
                end = headEnd(buffer);
            }
            double firstByteMs = (System.nanoTime() - startNs) / 1e6;
            buffer.flip();
            byte[] head = new byte[end];
            buffer.get(head);
            long wanted = length(new String(head, StandardCharsets.US_ASCII));
            long bytes = 0;
            boolean more = true;
            while (more) {
                bytes += buffer.remaining();
                while (out != null && buffer.hasRemaining()) {
                    out.write(buffer);
                }
                buffer.clear();
                more = bytes < wanted && channel.read(buffer) >= 0;
                buffer.flip();
            }
            if (bytes != wanted) {
                throw new IOException(address + ": " + bytes + " of " + wanted + " bytes");
            }
            return new Download(bytes, firstByteMs, 0);
        }
    }

    private static int headEnd(ByteBuffer buffer) {
        for (int i = 3; i < buffer.position(); i++) {
            if (buffer.get(i) == '\n' && buffer.get(i - 2) == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private static long length(String head) throws IOException {
        if (!head.startsWith("HTTP/1.1 200")) {
            throw new IOException(head);
        }
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(LENGTH))
                .mapToLong(line -> Long.parseLong(line.substring(LENGTH.length()).strip()))
                .findFirst()
                .orElseThrow(() -> new IOException("no length: " + head));
    }
}
