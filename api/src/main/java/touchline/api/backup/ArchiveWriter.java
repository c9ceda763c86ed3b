package touchline.api.backup;

import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import touchline.api.access.Digests;

/**
 * Writes a backup: a tar archive of regular files, of which the last one holds the SHA-256 of all
 * others. Without that one an archive is not whole, whatever ended it. One thread.
 */
final class ArchiveWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 << 10;
    private static final byte[] ZEROS = new byte[2 * TarHeader.BLOCK_BYTES];

    private final OutputStream out;
    private final Instant madeAt;
    private final Path sums;
    private final BufferedWriter sumLines;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private long files;
    private long bytes;

    /**
     * @param out stays open
     * @param madeAt time of all entries
     * @param sums a draft that this writer creates, and deletes when it is closed
     */
    ArchiveWriter(OutputStream out, Instant madeAt, Path sums) throws IOException {
        this.out = out;
        this.madeAt = madeAt;
        this.sums = sums;
        this.sumLines = Files.newBufferedWriter(sums, StandardCharsets.US_ASCII);
    }

    /**
     * Adds a file.
     *
     * @param content stays open
     * @throws EOFException if the content has fewer bytes than were announced
     */
    void add(String name, long sizeBytes, InputStream content) throws IOException {
        MessageDigest digest = Digests.start();
        out.write(new TarHeader(name, sizeBytes).encoded(madeAt));
        long left = sizeBytes;
        while (left > 0) {
            int read = content.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (read < 0) {
                throw new EOFException(name + ": " + left + " bytes are missing");
            }
            digest.update(buffer, 0, read);
            out.write(buffer, 0, read);
            left -= read;
        }
        out.write(ZEROS, 0, TarHeader.padding(sizeBytes));
        sumLines.write(Sha256.line(digest, name));
        files++;
        bytes += TarHeader.BLOCK_BYTES + sizeBytes + TarHeader.padding(sizeBytes);
    }

    void add(String name, byte[] content) throws IOException {
        add(name, content.length, new ByteArrayInputStream(content));
    }

    /** Adds a whole file of the disk. */
    void add(String name, Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            add(name, Files.size(file), content);
        }
    }

    /** Adds the checksums and the end. */
    void finish() throws IOException {
        sumLines.close();
        long size = Files.size(sums);
        out.write(new TarHeader(ArchiveNames.SUMS, size).encoded(madeAt));
        try (InputStream lines = Files.newInputStream(sums)) {
            lines.transferTo(out);
        }
        out.write(ZEROS, 0, TarHeader.padding(size));
        out.write(ZEROS);
        out.flush();
        bytes += TarHeader.BLOCK_BYTES + size + TarHeader.padding(size) + ZEROS.length;
    }

    /** Entries so far, without the last one. */
    long files() {
        return files;
    }

    /** Bytes of the archive so far. */
    long bytes() {
        return bytes;
    }

    @Override
    public void close() throws IOException {
        try {
            sumLines.close();
        } finally {
            Files.deleteIfExists(sums);
        }
    }
}
