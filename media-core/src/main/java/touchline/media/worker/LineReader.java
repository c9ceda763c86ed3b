package touchline.media.worker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads lines of UTF-8 with a length limit from a pipe. One thread. */
final class LineReader {
    private static final int BUFFER_BYTES = 8 * 1024;

    private final InputStream in;
    private final int maxLineBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int position;
    private int limit;

    LineReader(InputStream in, int maxLineBytes) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
    }

    /**
     * Returns the next line without its terminator; empty at the end of the pipe. An incomplete
     * last line is dropped.
     *
     * @throws IOException if the pipe breaks or a line exceeds the limit
     */
    Optional<String> next() throws IOException {
        line.reset();
        while (true) {
            if (position == limit) {
                position = 0;
                limit = Math.max(0, in.read(buffer));
                if (limit == 0) {
                    return Optional.empty();
                }
            }
            int end = position;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            if (line.size() + (end - position) > maxLineBytes) {
                throw new IOException("line: too long (expected: <= " + maxLineBytes + " bytes)");
            }
            line.write(buffer, position, end - position);
            position = end;
            if (end < limit) {
                position++;
                return Optional.of(line.toString(StandardCharsets.UTF_8));
            }
        }
    }
}
