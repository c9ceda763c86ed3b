package touchline.media.worker;

import java.nio.file.Path;
import java.util.List;

/**
 * Files that a worker uses besides its own folder. Immutable.
 *
 * @param readable files and folders
 * @param writable folders, which exist
 */
public record WorkerFiles(List<Path> readable, List<Path> writable) {
    /** Its own folder only. */
    public static final WorkerFiles NONE = new WorkerFiles(List.of(), List.of());

    public WorkerFiles {
        readable = List.copyOf(readable);
        writable = List.copyOf(writable);
    }
}
