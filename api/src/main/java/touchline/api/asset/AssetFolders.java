package touchline.api.asset;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import touchline.api.domain.AssetId;
import touchline.media.store.DiskSpace;

/** The folders of assets, each named by the asset's id. Blocks; any thread. */
public final class AssetFolders {
    /** An empty file in a folder whose files came from the store. */
    private static final String COPY = "from-s3";

    /** An empty file in the folder of a recording that another node has begun. */
    private static final String CONTINUED = "continued";

    private final Path root;

    /**
     * @param root exists
     */
    public AssetFolders(Path root) {
        this.root = root;
    }

    /** The folder of an asset, whether it exists or not. */
    public Path of(AssetId asset) {
        return root.resolve(asset.value());
    }

    /** Makes the folder of an asset whose files come from the store. */
    public void markCopy(AssetId asset) throws IOException {
        Path folder = Files.createDirectories(of(asset));
        try {
            Files.createFile(folder.resolve(COPY));
        } catch (FileAlreadyExistsException _) {
            // An earlier try has made it.
        }
    }

    /** Whether files of the asset came from the store: nothing is lost with this folder. */
    public boolean isCopy(AssetId asset) {
        return Files.exists(of(asset).resolve(COPY));
    }

    /**
     * Makes a copy the folder of a recording that goes on here: what is added to it is nowhere else
     * at first. Files of before may be in the store only.
     */
    public void markContinued(AssetId asset) throws IOException {
        Path folder = of(asset);
        try {
            Files.createFile(folder.resolve(CONTINUED));
        } catch (FileAlreadyExistsException _) {
            // It has gone on here before.
        }
        Files.deleteIfExists(folder.resolve(COPY));
    }

    /** Whether another node has begun the recording, so that the store may have files of it. */
    public boolean isContinued(AssetId asset) {
        return Files.exists(of(asset).resolve(CONTINUED));
    }

    /** Bytes in the asset's folder. */
    public long sizeBytes(AssetId asset) throws IOException {
        return FolderTree.sizeBytes(of(asset));
    }

    /** Bytes that this process may still write to the disk of the assets. */
    public long freeBytes() throws IOException {
        return Files.getFileStore(root).getUsableSpace();
    }

    /** What the disk of the assets has left. */
    public DiskSpace space() throws IOException {
        return DiskSpace.of(root);
    }

    /** The names of all folders, foreign ones included. */
    public Set<String> names() throws IOException {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(root, Files::isDirectory)) {
            files.forEach(folder -> names.add(folder.getFileName().toString()));
        }
        return names;
    }
}
