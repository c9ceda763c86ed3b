package touchline.api.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import touchline.api.asset.Renditions;
import touchline.api.db.AssetObjects.Stored;
import touchline.api.domain.AssetId;
import touchline.api.home.Verification.Finding;
import touchline.api.storage.StorageException;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;

/** Compares the objects of one asset with its row and its indexes. One thread. */
final class StoredContent {
    /** A recovered recording may lack the end that its row has counted. */
    private static final long TOLERATED_US = 1_000_000;

    private final AssetId asset;
    private final long durationUs;
    private final Map<String, Long> sizes;
    private final Reader reader;

    /** Names that the indexes have, and those that need none. */
    private final Set<String> named = new HashSet<>();

    /** Reads an object. */
    @FunctionalInterface
    interface Reader {
        /**
         * @param name of the file, relative to the asset's folder
         * @throws NoSuchFileException if there is no such object
         */
        void read(String name, Path to) throws IOException;
    }

    /**
     * @param sizes of the objects in bytes, by the names of their files
     */
    StoredContent(Stored row, Map<String, Long> sizes, Reader reader) {
        this.asset = row.id();
        this.durationUs = row.durationUs();
        this.sizes = sizes;
        this.reader = reader;
    }

    /**
     * What is missing.
     *
     * @param scratch an empty folder
     */
    List<Finding> missing(Path scratch) throws IOException {
        List<Finding> found = new ArrayList<>();
        named.addAll(List.of(StoredMp4.HEAD, Renditions.REFUSED));
        check("", durationUs, scratch, found);
        String scaled = Renditions.FOLDER + "/";
        if (sizes.containsKey(scaled + Recording.INDEX)) {
            named.add(scaled + StoredMp4.HEAD);
            check(scaled, 0, Files.createDirectory(scratch.resolve("scaled")), found);
        }
        return found;
    }

    /** Objects that no index names; called after {@link #missing}. */
    List<String> unnamed() {
        return sizes.keySet().stream().filter(name -> !named.contains(name)).sorted().toList();
    }

    private void check(String prefix, long leastUs, Path scratch, List<Finding> found)
            throws IOException {
        String index = prefix + Recording.INDEX;
        named.add(index);
        Recording recording;
        try {
            reader.read(index, scratch.resolve(Recording.INDEX));
            recording = Recording.load(scratch);
        } catch (NoSuchFileException _) {
            nameAll(prefix);
            found.add(finding(index, "not there"));
            return;
        } catch (StorageException e) {
            if (e.kind() != StorageException.Kind.DAMAGED) {
                throw e;
            }
            nameAll(prefix);
            found.add(finding(index, String.valueOf(e.getMessage())));
            return;
        } catch (MalformedMediaException e) {
            nameAll(prefix);
            found.add(finding(index, "cannot be read: " + e.getMessage()));
            return;
        }
        if (recording.durationUs() + TOLERATED_US < leastUs) {
            found.add(
                    finding(
                            index,
                            "has %d ms (expected: %d, as the row says)"
                                    .formatted(recording.durationUs() / 1_000, leastUs / 1_000)));
        }
        leastBytes(recording)
                .forEach(
                        (file, least) -> {
                            named.add(prefix + file);
                            compare(prefix + file, least, found);
                        });
    }

    /** Without an index nothing can be said about the rest. */
    private void nameAll(String prefix) {
        sizes.keySet().stream().filter(name -> name.startsWith(prefix)).forEach(named::add);
    }

    /** How long each file must be at least. Behind the last segment may be a torn part. */
    private static Map<String, Long> leastBytes(Recording recording) {
        Map<String, Long> least = new TreeMap<>();
        recording.inits().forEach(init -> least.put(init.fileName(), 1L));
        for (Recording.Segment segment : recording.segments()) {
            least.merge(
                    segment.fileName(),
                    segment.place().offsetBytes() + segment.place().sizeBytes(),
                    Math::max);
        }
        return least;
    }

    private void compare(String name, long leastBytes, List<Finding> found) {
        Long bytes = sizes.get(name);
        if (bytes == null) {
            found.add(finding(name, "not there"));
        } else if (bytes < leastBytes) {
            found.add(
                    finding(name, "%d bytes (expected: at least %d)".formatted(bytes, leastBytes)));
        }
    }

    private Finding finding(String name, String reason) {
        return new Finding.Missing(asset, name, reason);
    }
}
