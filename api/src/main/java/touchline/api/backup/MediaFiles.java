package touchline.api.backup;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.packager.record.Recording;

/**
 * Writes the files of assets and of evidence into a backup. Files that are being written ({@code
 * *.tmp}), and files with names that this server does not give, are left out. Links are not
 * followed. Blocks; one thread.
 */
final class MediaFiles {
    private static final Logger log = LoggerFactory.getLogger(MediaFiles.class);
    private static final String UNFINISHED = ".tmp";
    private static final int BUFFER_BYTES = 128 << 10;

    private final ArchiveWriter archive;
    private final Path draft;

    /**
     * @param draft an empty folder of the same backup
     */
    MediaFiles(ArchiveWriter archive, Path draft) {
        this.archive = archive;
        this.draft = draft;
    }

    /**
     * Adds a recording that may still grow: what its index names at this moment. The index is read
     * first. A segment that it names lies whole on the disk and never changes, so the files have
     * all of it, however far they have grown meanwhile. What follows in them is left out.
     *
     * @return false if nothing is stored yet
     */
    boolean addRecording(String asset, Path folder) throws IOException {
        Recording recording;
        try {
            recording = Recording.load(folder);
        } catch (NoSuchFileException _) {
            return false;
        }
        if (recording.segments().isEmpty()) {
            return false;
        }
        String prefix = ArchiveNames.ASSETS + asset + "/";
        recording.save(draft);
        Path index = draft.resolve(Recording.INDEX);
        archive.add(prefix + Recording.INDEX, index);
        Files.delete(index);
        for (Recording.Init init : recording.inits()) {
            archive.add(prefix + init.fileName(), folder.resolve(init.fileName()));
        }
        Map<String, Long> ends = new LinkedHashMap<>();
        for (Recording.Segment segment : recording.segments()) {
            long end = segment.place().offsetBytes() + segment.place().sizeBytes();
            ends.merge(segment.fileName(), end, Math::max);
        }
        for (Map.Entry<String, Long> file : ends.entrySet()) {
            addBeginning(prefix + file.getKey(), folder.resolve(file.getKey()), file.getValue());
        }
        return true;
    }

    private void addBeginning(String name, Path file, long sizeBytes) throws IOException {
        try (InputStream content =
                new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
            archive.add(name, sizeBytes, content);
        }
    }

    /**
     * Adds all files of a folder that does not change any more.
     *
     * @return false if there is no such folder, or nothing in it
     */
    boolean addFinished(String asset, Path folder) throws IOException {
        return addTree(ArchiveNames.ASSETS + asset, folder);
    }

    /** Adds all evidence frames. Retention may remove some meanwhile. */
    void addEvidence(Path folder) throws IOException {
        try (DirectoryStream<Path> shards = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path shard : shards) {
                addShard(shard);
            }
        } catch (NoSuchFileException | NotDirectoryException _) {
            // No frame was stored yet.
        }
    }

    /** Without a walk, which fails where a file is removed meanwhile. */
    private void addShard(Path shard) throws IOException {
        try (DirectoryStream<Path> frames = Files.newDirectoryStream(shard)) {
            for (Path frame : frames) {
                if (Files.isRegularFile(frame, LinkOption.NOFOLLOW_LINKS)) {
                    boolean _ =
                            addIfOurs(
                                    ArchiveNames.EVIDENCE
                                            + shard.getFileName()
                                            + "/"
                                            + frame.getFileName(),
                                    frame);
                }
            }
        }
    }

    private boolean addTree(String prefix, Path folder) throws IOException {
        boolean any = false;
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) tree::iterator) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    any |= addIfOurs(prefix + "/" + folder.relativize(file), file);
                }
            }
        } catch (NoSuchFileException _) {
            return any;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return any;
    }

    private boolean addIfOurs(String name, Path file) throws IOException {
        if (Stream.of(name.split("/", -1)).anyMatch(part -> part.endsWith(UNFINISHED))) {
            return false;
        }
        if (!ArchiveNames.isAllowed(name)) {
            log.warn("{} is left out of the backup: no name that this server gives", file);
            return false;
        }
        InputStream opened;
        try {
            opened = Files.newInputStream(file);
        } catch (NoSuchFileException _) {
            return false;
        }
        try (InputStream content = opened) {
            archive.add(name, Files.size(file), content);
        }
        return true;
    }
}
