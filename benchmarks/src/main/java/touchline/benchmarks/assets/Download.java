package touchline.benchmarks.assets;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.ProcessUsage;

/**
 * One download at full speed.
 *
 * @param bytes size of the body
 * @param firstByteMs time to the first byte of the body
 * @param seconds time to the last one
 * @param cpuSeconds CPU time of the server
 */
public record Download(long bytes, double firstByteMs, double seconds, double cpuSeconds) {
    public double megabytesPerCpuSecond() {
        return bytes / 1e6 / cpuSeconds;
    }

    /** Downloads and drops the bytes. */
    public static Download drain(URI address, ProcessHandle server) throws IOException {
        double before = ProcessUsage.of(server).cpuSeconds();
        Download download = download(address, _ -> {});
        double used = ProcessUsage.of(server).cpuSeconds() - before;
        return new Download(download.bytes(), download.firstByteMs(), download.seconds(), used);
    }

    /** Downloads into an existing file. */
    static void to(URI address, Path file) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            download(
                    address,
                    piece -> {
                        while (piece.hasRemaining()) {
                            out.write(piece);
                        }
                    });
        }
    }

    private static Download download(URI address, HttpConnection.Sink sink) throws IOException {
        try (HttpConnection connection = HttpConnection.open(address)) {
            long startNs = System.nanoTime();
            long bytes = connection.requestBody(address);
            connection.readBody(Math.min(1, bytes), sink);
            double firstByteMs = (System.nanoTime() - startNs) / 1e6;
            connection.readBody(Math.max(0, bytes - 1), sink);
            double seconds = (System.nanoTime() - startNs) / 1e9;
            return new Download(bytes, firstByteMs, seconds, 0);
        }
    }
}
