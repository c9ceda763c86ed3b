package touchline.api.backup;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import touchline.api.access.Digests;

/**
 * Reads a backup, and checks it while it does: names, sizes, checksums and the end. Nothing read is
 * to be trusted before {@link #next} has returned null. One thread.
 *
 * <p>It takes only what {@link ArchiveWriter} writes. Links, folders, devices, extended headers and
 * names outside of {@link ArchiveNames} are refused.
 */
final class ArchiveReader implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 << 10;
    private static final int MAX_MANIFEST_BYTES = 4 << 20;

    /** Enough for a hundred million lines of checksums. */
    private static final long MAX_SUMS_BYTES = 32L << 30;

    private static final int MAX_LINE = 512;
    private static final int END_BLOCKS = 2;

    private final BufferedInputStream in;
    private final Path sums;
    private final BufferedWriter sumLines;
    private final BackupManifest manifest;
    private @Nullable Content current;

    /** An entry; its content is read before the next one. */
    record Entry(String name, long sizeBytes, InputStream content) {}

    /**
     * Reads the manifest.
     *
     * @param in stays open
     * @param sums a draft that this reader creates, and deletes when it is closed
     * @throws DamagedArchiveException if this is no backup of a known format
     */
    @MustBeClosed
    ArchiveReader(InputStream in, Path sums) throws IOException {
        this.in = new BufferedInputStream(in, BUFFER_BYTES);
        this.sums = sums;
        this.sumLines = Files.newBufferedWriter(sums, StandardCharsets.US_ASCII);
        try {
            this.manifest = readManifest();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    BackupManifest manifest() {
        return manifest;
    }

    private BackupManifest readManifest() throws IOException {
        byte[] block = this.in.readNBytes(TarHeader.BLOCK_BYTES);
        if (block.length < TarHeader.BLOCK_BYTES) {
            throw new DamagedArchiveException("too short to be a backup");
        }
        TarHeader header = TarHeader.decoded(block);
        if (!header.name().equals(ArchiveNames.MANIFEST)
                || header.sizeBytes() > MAX_MANIFEST_BYTES) {
            throw new DamagedArchiveException(
                    "begins with %s (expected: %s)"
                            .formatted(printable(header.name()), ArchiveNames.MANIFEST));
        }
        Content content = new Content(header);
        byte[] text = content.readAllBytes();
        content.end();
        return BackupManifest.parse(text);
    }

    /**
     * The next file; null behind the last one. Then all checksums were right.
     *
     * @throws DamagedArchiveException naming what is wrong
     */
    @Nullable Entry next() throws IOException {
        Content open = current;
        if (open != null) {
            open.end();
        }
        TarHeader header = TarHeader.decoded(block("the next entry"));
        if (header.name().equals(ArchiveNames.SUMS)) {
            current = null;
            checkSums(header);
            return null;
        }
        if (!ArchiveNames.isAllowed(header.name())) {
            throw new DamagedArchiveException(
                    "an entry named " + printable(header.name()) + " has no place in a backup");
        }
        Content content = new Content(header);
        current = content;
        return new Entry(header.name(), header.sizeBytes(), content);
    }

    /** Compares the last entry with what was read, and reads on to the end of the archive. */
    private void checkSums(TarHeader header) throws IOException {
        sumLines.close();
        if (header.sizeBytes() > MAX_SUMS_BYTES) {
            throw new DamagedArchiveException(header.name() + ": too long");
        }
        Content stated = new Content(header);
        // Not closed: it would close the archive.
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(stated, StandardCharsets.ISO_8859_1));
        try (BufferedReader computed = Files.newBufferedReader(sums, StandardCharsets.US_ASCII)) {
            String expected;
            while ((expected = computed.readLine()) != null) {
                String line = line(lines);
                if (!expected.equals(line)) {
                    throw new DamagedArchiveException(
                            name(expected) + ": its checksum is not the one of the backup");
                }
            }
            if (!line(lines).isEmpty()) {
                throw new DamagedArchiveException("a file is missing that has a checksum");
            }
        }
        stated.skipRest();
        for (int i = 0; i < END_BLOCKS; i++) {
            if (!TarHeader.isEnd(block("its end"))) {
                throw new DamagedArchiveException("goes on behind its checksums");
            }
        }
    }

    /** Empty at the end. A line without end is cut, and so differs from the computed one. */
    private static String line(BufferedReader lines) throws IOException {
        StringBuilder text = new StringBuilder();
        int next = lines.read();
        while (next >= 0 && next != '\n' && text.length() <= MAX_LINE) {
            text.append((char) next);
            next = lines.read();
        }
        return text.toString();
    }

    private static String name(String line) {
        return line.substring(line.indexOf(' ') + 2);
    }

    private byte[] block(String what) throws IOException {
        byte[] block = in.readNBytes(TarHeader.BLOCK_BYTES);
        if (block.length < TarHeader.BLOCK_BYTES) {
            throw new DamagedArchiveException("is cut off before " + what);
        }
        return block;
    }

    /** A name from outside, for a message. */
    private static String printable(String name) {
        StringBuilder text = new StringBuilder();
        name.chars().limit(80).forEach(c -> text.append(c > ' ' && c < 127 ? (char) c : '?'));
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        try {
            sumLines.close();
        } finally {
            Files.deleteIfExists(sums);
        }
    }

    /** The bytes of an entry; computes its checksum. */
    private final class Content extends InputStream {
        private final TarHeader header;
        private final MessageDigest digest = Digests.start();
        private long left;

        Content(TarHeader header) {
            this.header = header;
            this.left = header.sizeBytes();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            if (left == 0) {
                return -1;
            }
            int read = in.read(bytes, offset, (int) Math.min(length, left));
            if (read < 0) {
                throw new DamagedArchiveException("is cut off within " + header.name());
            }
            digest.update(bytes, offset, read);
            left -= read;
            return read;
        }

        /** Reads what the caller has left, and the padding. */
        void skipRest() throws IOException {
            byte[] rest = new byte[BUFFER_BYTES];
            while (read(rest, 0, rest.length) >= 0) {
                // Its checksum covers the rest too.
            }
            byte[] padding = in.readNBytes(TarHeader.padding(header.sizeBytes()));
            if (padding.length < TarHeader.padding(header.sizeBytes())) {
                throw new DamagedArchiveException("is cut off within " + header.name());
            }
            if (!TarHeader.isEnd(Arrays.copyOf(padding, padding.length))) {
                throw new DamagedArchiveException("is damaged behind " + header.name());
            }
        }

        void end() throws IOException {
            skipRest();
            sumLines.write(Sha256.line(digest, header.name()));
        }
    }
}
