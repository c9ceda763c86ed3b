package touchline.packager.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/** Port: brings back files of a recording that this disk lacks. Any thread. */
@FunctionalInterface
public interface StoredFiles {
    /** All files are on this disk. */
    StoredFiles LOCAL = _ -> {};

    /**
     * Returns when these files are on the disk. Blocks.
     *
     * @throws touchline.packager.hls.MediaAwayException if they cannot be brought back now
     */
    void ensure(Collection<Path> files) throws IOException;
}
