package touchline.packager.record;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.MediaBody;

/**
 * A finished recording as an MP4 that can be downloaded: its head, saved beside the recorded files
 * so that it is made once, and those files. Immutable, any thread.
 *
 * @param body head and media
 * @param entityTag differs if any byte differs
 */
public record StoredMp4(MediaBody.FileSequence body, String entityTag) {
    /** Name of the saved head in its folder. */
    public static final String HEAD = "mp4-head-2";

    /** Saved by older versions, whose movies have another clock ({@link AssetClock}). */
    private static final String OLD_HEAD = "mp4-head";

    /** Size of {@code mdat} with its 64 bit header, which is the head's last. */
    private static final int MDAT_SIZE_BYTES = 8;

    private static final int MDAT_HEADER_BYTES = 16;

    /**
     * Takes the saved head, or makes and saves it where there is none that fits. Blocks.
     *
     * @param folder a finished recording's
     * @throws MalformedMediaException when there is nothing to show, or a file is not what the
     *     index says
     */
    public static StoredMp4 open(Path folder) throws IOException {
        Recording recording = Recording.load(folder);
        Path saved = folder.resolve(HEAD);
        List<Mp4View.FileSlice> files = Mp4View.slices(recording, folder);
        byte[] head = Files.exists(saved) ? Files.readAllBytes(saved) : new byte[0];
        if (!fits(head, files)) {
            head = Mp4View.of(recording, folder).head().toArray(ValueLayout.JAVA_BYTE);
            save(head, folder);
        }
        List<MediaBody.FileRange> body = new ArrayList<>(files.size() + 1);
        body.add(new MediaBody.FileRange(saved, 0, head.length));
        for (Mp4View.FileSlice file : files) {
            body.add(new MediaBody.FileRange(file.file(), 0, file.sizeBytes()));
        }
        CRC32C sum = new CRC32C();
        sum.update(head);
        String entityTag = "\"" + Long.toHexString(sum.getValue()) + ".mp4\"";
        return new StoredMp4(new MediaBody.FileSequence(body), entityTag);
    }

    /** The files with the media. */
    public List<Path> media() {
        return body.files().stream().skip(1).map(MediaBody.FileRange::file).toList();
    }

    /** Whether a saved head is whole and matches the size of the media. */
    private static boolean fits(byte[] head, List<Mp4View.FileSlice> files) {
        return mediaBytes(head)
                .equals(
                        OptionalLong.of(
                                files.stream().mapToLong(Mp4View.FileSlice::sizeBytes).sum()));
    }

    private static OptionalLong mediaBytes(byte[] head) {
        return head.length < MDAT_HEADER_BYTES
                ? OptionalLong.empty()
                : OptionalLong.of(
                        ByteBuffer.wrap(head).getLong(head.length - MDAT_SIZE_BYTES)
                                - MDAT_HEADER_BYTES);
    }

    private static void save(byte[] head, Path folder) throws IOException {
        // A new name each time: two threads may write at once.
        Path temporary = Files.createTempFile(folder, HEAD, ".tmp");
        try {
            write(head, temporary);
            Files.move(
                    temporary,
                    folder.resolve(HEAD),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            Files.deleteIfExists(folder.resolve(OLD_HEAD));
            FolderSync.force(folder);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void write(byte[] head, Path to) throws IOException {
        try (FileChannel file = FileChannel.open(to, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(head);
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(/* metaData= */ false);
        }
    }
}
