package touchline.media.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Landlock: the kernel denies this thread, and what it executes, all files but those of a {@link
 * SandboxSpec}. It also denies TCP, signals to other processes, and reading their memory, as far as
 * the kernel's version supports it. One thread, used once.
 */
final class LandlockRules {
    private static final int SYS_OPEN = 2;
    private static final int SYS_CREATE_RULESET = 444;
    private static final int SYS_ADD_RULE = 445;
    private static final int SYS_RESTRICT_SELF = 446;
    private static final long VERSION = 1;
    private static final long PATH_BENEATH = 1;
    private static final long O_PATH_CLOEXEC = 0x280000;

    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_DIR = 1 << 3;
    private static final long REMOVE_DIR = 1 << 4;
    private static final long REMOVE_FILE = 1 << 5;
    private static final long MAKE_DIR = 1 << 7;
    private static final long MAKE_REGULAR = 1 << 8;
    private static final long REFER = 1 << 13;
    private static final long TRUNCATE = 1 << 14;
    private static final long IOCTL_DEVICE = 1 << 15;
    private static final long READ = EXECUTE | READ_FILE | READ_DIR;
    private static final long WRITE =
            WRITE_FILE
                    | READ_FILE
                    | READ_DIR
                    | REMOVE_DIR
                    | REMOVE_FILE
                    | MAKE_DIR
                    | MAKE_REGULAR
                    | REFER
                    | TRUNCATE;
    private static final long DEVICE = READ_FILE | WRITE_FILE | IOCTL_DEVICE;
    private static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE;
    private static final long NET = 3;
    private static final long SCOPES = 3;

    /** Number of file rights by version of the interface; later ones know as many as the last. */
    private static final int[] RIGHTS = {0, 13, 14, 15, 15, 16};

    /** What a JVM reads of the host, where it exists. */
    private static final List<String> OF_JVM =
            List.of(
                    "/bin",
                    "/sbin",
                    "/lib",
                    "/lib32",
                    "/lib64",
                    "/proc/self",
                    "/proc/meminfo",
                    "/proc/cpuinfo",
                    "/proc/stat",
                    "/sys/devices/system/cpu");

    private final Syscalls kernel;
    private final int version;
    private final long known;
    private long ruleset;

    LandlockRules(Syscalls kernel) throws IOException {
        this.kernel = kernel;
        this.version = (int) kernel.call("Landlock", SYS_CREATE_RULESET, 0, 0, VERSION);
        this.known = (1L << RIGHTS[Math.min(version, RIGHTS.length - 1)]) - 1;
    }

    void restrict(SandboxSpec spec) throws IOException {
        long attributes = kernel.words(known, version >= 4 ? NET : 0, version >= 6 ? SCOPES : 0);
        int bytes = version >= 6 ? 24 : version >= 4 ? 16 : 8;
        ruleset = kernel.call("Landlock rules", SYS_CREATE_RULESET, attributes, bytes, 0);
        for (String each : OF_JVM) {
            if (Files.exists(Path.of(each))) {
                allow(Path.of(each), READ);
            }
        }
        for (Path each : spec.readable()) {
            allow(each, READ);
        }
        allow(spec.libraries().folder(), READ);
        for (Path each : spec.devices()) {
            allow(each, DEVICE);
        }
        for (Path each : spec.writable()) {
            allow(each, WRITE);
        }
        allow(spec.folder(), WRITE);
        kernel.call("Landlock", SYS_RESTRICT_SELF, ruleset, 0);
    }

    private void allow(Path path, long rights) throws IOException {
        long file =
                kernel.call(
                        path.toString(), SYS_OPEN, kernel.text(path.toString()), O_PATH_CLOEXEC);
        long usable = Files.isDirectory(path) ? rights : rights & OF_FILES;
        byte[] rule =
                ByteBuffer.allocate(12)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(usable & known)
                        .putInt((int) file)
                        .array();
        kernel.call("rule for " + path, SYS_ADD_RULE, ruleset, PATH_BENEATH, kernel.bytes(rule), 0);
    }
}
