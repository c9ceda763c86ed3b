package touchline.api.app;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A disk that can be filled without harm: a tmpfs of its own where this process may mount one
 * (root), else the folder's disk, with {@code storage.min-free} so high that a few files matter.
 */
final class SmallDisk implements AutoCloseable {
    private static final long MEBIBYTE = 1L << 20;
    private static final long SIZE_BYTES = 96 * MEBIBYTE;
    private static final long MIN_FREE_BYTES = 24 * MEBIBYTE;

    /** Room for what others write to a shared disk meanwhile. */
    private static final long SHARED_ROOM_BYTES = 256 * MEBIBYTE;

    private final Path folder;
    private final boolean mounted;
    private final long minFreeBytes;
    private final Path filler;

    private SmallDisk(Path folder, boolean mounted, long minFreeBytes) {
        this.folder = folder;
        this.mounted = mounted;
        this.minFreeBytes = minFreeBytes;
        this.filler = folder.resolve("filler");
    }

    /**
     * @param folder empty
     */
    static SmallDisk at(Path folder) throws IOException {
        boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        if (root && run("mount", "-t", "tmpfs", "-o", "size=" + SIZE_BYTES, "tmpfs", "" + folder)) {
            return new SmallDisk(folder, true, MIN_FREE_BYTES);
        }
        return new SmallDisk(folder, false, freeBytes(folder) - SHARED_ROOM_BYTES);
    }

    private static boolean run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static long freeBytes(Path folder) throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    Path folder() {
        return folder;
    }

    /** Value of the configuration. */
    String minFree() {
        return String.valueOf(minFreeBytes);
    }

    /** Leaves less than {@code storage.min-free}, but something. */
    void fill() throws IOException {
        byte[] block = new byte[(int) MEBIBYTE];
        long left = minFreeBytes - 4 * MEBIBYTE;
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (freeBytes(folder) > left) {
                out.write(block);
            }
        }
    }

    /** Gives back what was filled. */
    void free() throws IOException {
        Files.delete(filler);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(filler);
        if (mounted && !run("umount", folder.toString())) {
            throw new IOException("still mounted: " + folder);
        }
    }
}
