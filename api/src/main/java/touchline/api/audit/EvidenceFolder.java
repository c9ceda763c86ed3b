package touchline.api.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.api.domain.FrameName;
import touchline.media.store.DiskMediaStore;
import touchline.media.store.MediaStore;
import touchline.media.store.MediaStoreException;
import touchline.packager.hls.MediaBody;

/**
 * Stores evidence frames by name. Subfolders are the first two characters of the names, so that no
 * folder becomes too large. Blocks; any thread.
 */
public final class EvidenceFolder {
    private static final int SHARD_CHARACTERS = 2;
    private static final String SUFFIX = ".jpg";

    private final Path root;
    private final MediaStore store;

    /**
     * @param root created if missing; all its contents belong to this class
     */
    public EvidenceFolder(Path root) {
        this.root = root;
        this.store = new DiskMediaStore(root);
    }

    /**
     * Stores a frame durably.
     *
     * @throws MediaStoreException if the disk fails, for example is full
     */
    public void put(FrameName frame, byte[] jpeg) {
        store.put(key(frame), ByteBuffer.wrap(jpeg));
    }

    /** The frame's file; empty if it does not exist (any more). */
    public Optional<MediaBody.FileRange> find(FrameName frame) {
        Path file = root.resolve(key(frame));
        try {
            BasicFileAttributes found =
                    Files.readAttributes(
                            file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile()
                    ? Optional.of(new MediaBody.FileRange(file, 0, found.size()))
                    : Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("evidence frame", e);
        }
    }

    /** Deletes a frame; false if it does not exist. */
    public boolean delete(FrameName frame) {
        return store.delete(key(frame));
    }

    /** The frames that were stored before a time. Foreign files are ignored. */
    public List<FrameName> storedBefore(Instant time) throws IOException {
        List<FrameName> frames = new ArrayList<>();
        for (String key : store.list("")) {
            String name = key.substring(key.lastIndexOf('/') + 1);
            if (name.endsWith(SUFFIX)) {
                String bare = name.substring(0, name.length() - SUFFIX.length());
                if (FrameName.isSafe(bare)
                        && key.equals(key(new FrameName(bare)))
                        && isBefore(root.resolve(key), time)) {
                    frames.add(new FrameName(bare));
                }
            }
        }
        return frames;
    }

    private static boolean isBefore(Path file, Instant time) throws IOException {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                    .toInstant()
                    .isBefore(time);
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static String key(FrameName frame) {
        return frame.value().substring(0, SHARD_CHARACTERS) + "/" + frame.value() + SUFFIX;
    }
}
