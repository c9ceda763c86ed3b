package touchline.api.storage;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.RandomText;
import touchline.api.storage.StorageException.Kind;

/**
 * Tests a storage with a small object: writes, reads and deletes it. So a client learns of a wrong
 * setting at once, not after an hour of encoding. Blocks for some seconds at most; any thread.
 */
public final class StorageProbe {
    private static final String NAME = ".touchline-probe-";
    private static final int NAME_BITS = 64;
    private static final int CONTENT_BITS = 256;

    private final ObjectStorages storages;
    private final Path folder;

    /**
     * @param folder for the object before its upload
     */
    public StorageProbe(ObjectStorages storages, Path folder) {
        this.storages = storages;
        this.folder = folder;
    }

    /**
     * @throws StorageException with the reason
     */
    public void check(OutputStorage storage) throws StorageException {
        String key = storage.key(NAME + RandomText.ofBits(NAME_BITS));
        String content = RandomText.ofBits(CONTENT_BITS);
        Path file = null;
        try (ObjectStorage opened = storages.openBriefly(storage)) {
            file = Files.createTempFile(folder, "probe", ".txt");
            Files.writeString(file, content);
            opened.put(
                    key,
                    new ObjectStorage.FileSlice(file, 0, content.length()),
                    ContentTypes.OTHER);
            ByteArrayOutputStream back = new ByteArrayOutputStream();
            opened.read(key, back);
            opened.delete(key);
            if (!back.toString(StandardCharsets.UTF_8).equals(content)) {
                throw new StorageException(
                        Kind.DAMAGED, "endpoint", "what was read back is not what was written");
            }
        } catch (StorageException e) {
            throw e;
        } catch (IOException e) {
            throw new StorageException(Kind.FAILED, "endpoint", "the store cannot be read", e);
        } finally {
            delete(file);
        }
    }

    private static void delete(@org.jspecify.annotations.Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException _) {
            // A few bytes in the folder for temporary files.
        }
    }
}
