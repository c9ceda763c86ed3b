package touchline.packager.record;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Makes file names durable: a file forced to the device has no name there until its folder is
 * forced too (fsync(2), notes). Blocks; any thread.
 */
public final class FolderSync {
    private FolderSync() {}

    /** Forces what was created in a folder, renamed or removed. */
    public static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(/* metaData= */ true);
        }
    }
}
